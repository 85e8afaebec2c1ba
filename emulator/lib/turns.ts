/** Milliseconds of work between two turns of the event loop. */
const SLICE_MS = 10;

const waiting: (() => void)[] = [];

/**
 * Waits for a turn of the event loop in which no other slice of long work runs, so that whoever comes with little to do waits for
 * one slice, however much long work there is.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(takeTurn);
  });
}

function takeTurn(): void {
  waiting[0]?.();
  waiting.shift();
  if (waiting.length > 0) setImmediate(takeTurn);
}

/** Calls a function with each item in turn, in slices. */
export async function forEachYielding<T>(
  items: Iterable<T>,
  each: (item: T) => void | Promise<void>,
): Promise<void> {
  let sliceEnds = performance.now() + SLICE_MS;
  for (const item of items) {
    const pending = each(item);
    if (pending !== undefined) await pending;
    if (performance.now() < sliceEnds) continue;
    await nextTurn();
    sliceEnds = performance.now() + SLICE_MS;
  }
}
