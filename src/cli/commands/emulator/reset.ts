import type { Context } from '../../command.js';
import { type TenantOption, withControl } from '../shared/running-emulator.js';

export async function run({ tenant }: TenantOption, context: Context): Promise<void> {
  await withControl(context, (control) => control.call('reset', { tenant }));
  const what = tenant === undefined ? 'the emulator' : `tenant ${tenant}`;
  context.output.notice(`Deleted all data of ${what}. The tenant and its keys are kept.`);
}
