/**
 * Returns a signal that is aborted with another one, or after a time.
 *
 * Node.js 20 collects an `AbortSignal.timeout()` that only an `AbortSignal.any()` refers to, and the time never ends.
 * @param ms milliseconds
 */
export function withTimeout(signal: AbortSignal, ms: number): AbortSignal {
  const late = new AbortController();
  const end = () => late.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  setTimeout(end, ms).unref();
  return AbortSignal.any([signal, late.signal]);
}

/** For how long code that a debugger may have paused is waited for: more than anybody debugs. Timers take no longer times than 24 days. */
export const DEBUGGING_MS = 24 * 3_600_000;
