import { LIMITS } from '../../contract/limits.js';

/**
 * Time an emulator may take to shut down before its process exits, in milliseconds. It finishes its requests, one of
 * which may run a reactor, and then flushes its data.
 */
export const EMULATOR_SHUTDOWN_MS = LIMITS.syncTimeoutMs + 30_000;

/** Asks a loaded emulator whether a thread of reactor code cannot be stopped. */
type HasStuckWorkers = () => boolean;

const registered = new Set<HasStuckWorkers>();

/**
 * Makes the process really end. A thread in a native call cannot be stopped, and the exit of a process waits for its threads,
 * so the process kills itself once everything else is done and the data is stored.
 */
export function endDespiteStuckWorkers(hasStuckWorkers: HasStuckWorkers): void {
  if (registered.has(hasStuckWorkers)) return;
  registered.add(hasStuckWorkers);
  process.on('exit', () => {
    if (hasStuckWorkers()) process.kill(process.pid, 'SIGKILL');
  });
}
