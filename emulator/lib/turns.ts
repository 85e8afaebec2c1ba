import type { MaybePromise } from './maybe-promise.js';

/** Bytes of a body, response or result up to which it is handled at once; more waits for its turn. */
export const SMALL_BYTES = 65_536;

/** Milliseconds of work between two turns of the event loop. */
const SLICE_MS = 10;

/** Turns between two slices. A request takes several turns: with one between slices, it would wait for many slices. */
const TURNS_BETWEEN = 10;

const waiting: (() => void)[] = [];

/** Waits for a turn in which no other slice of long work runs, so that whoever has little to do waits for one slice. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) void takeTurns();
  });
}

async function takeTurns(): Promise<void> {
  for (; waiting.length > 0; waiting.shift()) {
    for (let i = 0; i < TURNS_BETWEEN; i += 1) await sharedTurn();
    waiting[0]?.();
  }
}

/** Waits for the next turn of the event loop: for work that all tenants wait for, and of which there is one at a time. */
export const sharedTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Calls a function with each item in slices: at once if there is little to do. @param turn waits between slices */
export function forEachYielding<T>(
  items: Iterable<T>,
  each: (item: T) => MaybePromise<void>,
  turn = nextTurn,
): Promise<void> | undefined {
  const iterator = items[Symbol.iterator]();
  let sliceEnds = performance.now() + SLICE_MS;
  /** @returns what to await before it goes on; undefined at the end */
  const work = (): Promise<void> | undefined => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      const pending = each(next.value);
      if (pending !== undefined || performance.now() >= sliceEnds) return pending ?? Promise.resolve();
    }
    return undefined;
  };
  const goOn = async (first: Promise<void>) => {
    for (let pending: Promise<void> | undefined = first; pending; pending = work()) {
      await pending;
      if (performance.now() < sliceEnds) continue;
      await turn();
      sliceEnds = performance.now() + SLICE_MS;
    }
  };
  const first = work();
  return first && goOn(first);
}
