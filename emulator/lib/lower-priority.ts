import { constants, getPriority, setPriority } from 'node:os';

const NICENESS = 5;

/** Lowers the scheduling priority of this thread, relative to that of the process. */
export function lowerPriority(): void {
  // On other systems than Linux a priority belongs to the process, which must keep its own.
  if (process.platform === 'linux')
    setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
}
