import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collections at most, and milliseconds between two. */
const MAX_ROUNDS = 20;
const PAUSE_MS = 50;
/** Less than this many bytes from one collection to the next count as nothing. */
const STEADY_BYTES = 1_000_000;

/**
 * Measures the heap and buffers that this process still holds, in bytes. A single collection does not free them all: buffers
 * are freed in other threads and counted by the next one, and connections and threads let go of a message a moment after
 * its answer. So it collects until three readings in a row are no lower than the lowest.
 */
export async function measureHeldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let lowest = Number.POSITIVE_INFINITY;
  for (let round = 0, steady = 0; round < MAX_ROUNDS && steady < 3; round++) {
    collect();
    await sleep(PAUSE_MS);
    const { heapUsed, external } = process.memoryUsage();
    const held = heapUsed + external;
    steady = held > lowest - STEADY_BYTES ? steady + 1 : 0;
    lowest = Math.min(lowest, held);
  }
  return lowest;
}
