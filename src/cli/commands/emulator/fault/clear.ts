import type { Context } from '../../../command.js';
import { type TenantOption, withControl } from '../../shared/running-emulator.js';

export async function run(
  { id, tenant }: { id: string | undefined } & TenantOption,
  context: Context,
): Promise<void> {
  await withControl(context, (control) =>
    id === undefined
      ? control.call('faults.clear', { tenant })
      : control.call('faults.remove', { tenant, path: { id } }),
  );
  context.output.notice(id === undefined ? 'Removed all faults.' : `Removed fault ${id}.`);
}
