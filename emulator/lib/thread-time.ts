import { readFileSync, readlinkSync } from 'node:fs';

/** Names the current thread for `threadTime`; undefined on systems that do not tell. */
export function currentThread(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return undefined;
  }
}

/** Returns a time in milliseconds that passes while a thread runs; real time where the system does not tell. */
export function threadTime(thread: string | undefined): number {
  if (thread === undefined) return performance.now();
  try {
    const [nanoseconds] = readFileSync(`/proc/${thread}/schedstat`, 'latin1').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return performance.now();
  }
}
