/** Milliseconds of work between two turns of the event loop. */
const SLICE_MS = 4;

/** Calls a function with each item in turn and lets other work run in between. */
export async function forEachYielding<T>(
  items: Iterable<T>,
  each: (item: T) => void | Promise<void>,
): Promise<void> {
  let sliceEnds = performance.now() + SLICE_MS;
  for (const item of items) {
    const pending = each(item);
    if (pending !== undefined) await pending;
    if (performance.now() < sliceEnds) continue;
    await new Promise(setImmediate);
    sliceEnds = performance.now() + SLICE_MS;
  }
}
