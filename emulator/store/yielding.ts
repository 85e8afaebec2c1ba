/** Milliseconds that long work takes at a time before others get their turn. */
const SLICE_MS = 4;

/** Does something with each item in turn, beside other work. */
export async function inSlices<T>(
  items: Iterable<T>,
  each: (item: T) => void | Promise<void>,
): Promise<void> {
  let sliceEnds = performance.now() + SLICE_MS;
  for (const item of items) {
    const waiting = each(item);
    if (waiting !== undefined) await waiting;
    if (performance.now() < sliceEnds) continue;
    await new Promise(setImmediate);
    sliceEnds = performance.now() + SLICE_MS;
  }
}
