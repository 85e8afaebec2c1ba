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
