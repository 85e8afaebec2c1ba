import type { Context } from '../../../command.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run({ name }: { name: string }, context: Context): Promise<void> {
  const { tokens } = await withControl(context, (control) =>
    control.call('snapshots.save', { body: { name } }),
  );
  context.output.notice(`Saved snapshot ${name} with ${tokens} tokens and all other data.`);
}
