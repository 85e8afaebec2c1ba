import type { Context } from '../../../command.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run({ id }: { id: string | undefined }, context: Context): Promise<void> {
  await withControl(context, (control) =>
    id === undefined ? control.call('faults.clear') : control.call('faults.remove', { path: { id } }),
  );
  context.output.notice(id === undefined ? 'Removed all faults.' : `Removed fault ${id}.`);
}
