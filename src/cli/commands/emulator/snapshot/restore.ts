import type { Context } from '../../../command.js';
import { type TenantOption, withControl } from '../../shared/running-emulator.js';

export async function run(
  { name, tenant }: { name: string } & TenantOption,
  context: Context,
): Promise<void> {
  await withControl(context, (control) => control.call('snapshots.restore', { tenant, path: { name } }));
  context.output.notice(`Restored snapshot ${name}. The seeded keys are unchanged.`);
}
