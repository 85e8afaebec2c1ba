import type { MaybePromise } from './maybe-promise.js';

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

/** Waits for the next turn of the event loop: for work that all tenants wait for, and of which there is one at a time. */
export const sharedTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Calls a function with each item in turn, in slices: at once if there is little to do.
 * @param turn waits between two slices
 */
export function forEachYielding<T>(
  items: Iterable<T>,
  each: (item: T) => MaybePromise<void>,
  turn = nextTurn,
): Promise<void> | undefined {
  const sliceEnds = performance.now() + SLICE_MS;
  const iterator = items[Symbol.iterator]();
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    const pending = each(next.value);
    if (pending !== undefined || performance.now() >= sliceEnds) return goOn(iterator, each, pending, turn);
  }
  return undefined;
}

async function goOn<T>(
  rest: Iterator<T>,
  each: (item: T) => MaybePromise<void>,
  pending: MaybePromise<void>,
  turn: () => Promise<void>,
): Promise<void> {
  if (pending === undefined) await turn();
  else await pending;
  let sliceEnds = performance.now() + SLICE_MS;
  for (let next = rest.next(); !next.done; next = rest.next()) {
    const more = each(next.value);
    if (more !== undefined) await more;
    if (performance.now() < sliceEnds) continue;
    await turn();
    sliceEnds = performance.now() + SLICE_MS;
  }
}
