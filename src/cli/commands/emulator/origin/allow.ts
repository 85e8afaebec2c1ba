import type { Context } from '../../../command.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run({ origin }: { origin: string }, context: Context): Promise<void> {
  await withControl(context, (control) => control.call('origins.add', { body: { origin } }));
  context.output.notice(`Pages of ${origin} may call the service until the emulator stops.`);
}
