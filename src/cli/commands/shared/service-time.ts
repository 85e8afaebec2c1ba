import type { Context } from '../../command.js';
import { readRunningState } from '../../config/state-file.js';
import { withControl } from './running-emulator.js';

/**
 * Returns the time of the service, by which its timestamps are made: of the emulator of this directory if that is the target,
 * whose clock can be moved, otherwise of this machine. Milliseconds since 1970.
 */
export async function readServiceTime(context: Context): Promise<number> {
  const { client, settings } = context;
  const [{ transport }, state] = await Promise.all([client.connection(), readRunningState(settings)]);
  if (state?.base_url !== transport.url) return Date.now();
  const { now } = await withControl(context, (control) => control.call('clock.get'));
  return Date.parse(now);
}
