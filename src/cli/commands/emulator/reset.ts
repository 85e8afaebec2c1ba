import type { Context } from '../../command.js';
import { confirmLocalDeletion } from '../shared/confirm.js';
import { requireRunningState, type TenantOption, withControl } from '../shared/running-emulator.js';

export async function run({ tenant }: TenantOption, context: Context): Promise<void> {
  const { base_url } = await requireRunningState(context);
  const what = tenant === undefined ? 'the emulator' : `tenant ${tenant}`;
  await confirmLocalDeletion(`all data of ${what} at ${base_url}`, context);
  await withControl(context, (control) => control.call('reset', { tenant }));
  context.output.notice(`Deleted all data of ${what}. The tenant and its keys are kept.`);
}
