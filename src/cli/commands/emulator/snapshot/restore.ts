import type { Context } from '../../../command.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run({ name }: { name: string }, context: Context): Promise<void> {
  await withControl(context, (control) => control.call('snapshots.restore', { path: { name } }));
  context.output.notice(`Restored snapshot ${name}. The seeded keys are unchanged.`);
}
