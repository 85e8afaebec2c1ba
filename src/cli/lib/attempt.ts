/** The outcome of a step that must not stop the steps of other items: its value, or the error it threw. */
export type Attempt<Value> =
  | { ok: true; value: Value; durationMs: number }
  | { ok: false; error: unknown; durationMs: number };

/** Runs a step; never rejects. Once the signal is aborted, no step starts, and the error of one in progress is its reason. */
export async function attempt<Value>(
  signal: AbortSignal,
  step: () => Promise<Value>,
): Promise<Attempt<Value>> {
  const start = performance.now();
  try {
    signal.throwIfAborted();
    const value = await step();
    return { ok: true, value, durationMs: performance.now() - start };
  } catch (error) {
    const durationMs = performance.now() - start;
    return { ok: false, error: signal.aborted ? signal.reason : error, durationMs };
  }
}

export function unwrap<Value>(outcome: Attempt<Value>): Value {
  if (outcome.ok) return outcome.value;
  throw outcome.error;
}
