import type { Context } from '../../../command.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run({ name }: { name: string }, context: Context): Promise<void> {
  const snapshot = await withControl(context, (control) => control.call('POST', '/snapshots', { name }));
  const { tokens } = snapshot as { tokens: number };
  context.output.notice(`Saved ${name}: ${tokens} tokens, and everything else there is.`);
}
