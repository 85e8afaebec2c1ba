import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from '../../../contract/process-identity.js';
import type { Context } from '../../command.js';
import { EMULATOR_SHUTDOWN_MS } from '../../emulator/shutdown.js';
import { CliError } from '../../lib/errors.js';
import { requireRunningState, withControl } from '../shared/running-emulator.js';

const POLL_MS = 25;
/** Time to wait for the process to exit, in milliseconds: its own time limit and some more. */
const TIMEOUT_MS = EMULATOR_SHUTDOWN_MS + 5_000;

export async function run(_options: object, context: Context): Promise<void> {
  const { pid, base_url } = await requireRunningState(context);
  // The process id may have been reused by another program, so make sure that the emulator responds.
  await withControl(context, (control) => control.call('clock.get'));
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; isProcessAlive(pid); waited += POLL_MS) {
    if (waited >= TIMEOUT_MS)
      throw new CliError('timeout', `The emulator at ${base_url} (process ${pid}) has not stopped in time.`);
    await sleep(POLL_MS, undefined, { signal: context.signal });
  }
  context.output.notice(`Stopped the emulator at ${base_url}.`);
}
