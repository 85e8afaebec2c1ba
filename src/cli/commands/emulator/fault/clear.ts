import type { Context } from '../../../command.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run({ id }: { id: string | undefined }, context: Context): Promise<void> {
  const path = id === undefined ? '/faults' : `/faults/${encodeURIComponent(id)}`;
  await withControl(context, (control) => control.call('DELETE', path));
  context.output.notice(id === undefined ? 'No faults are left.' : `Removed fault ${id}.`);
}
