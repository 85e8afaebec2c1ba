import { expect, test } from 'vitest';
import { forEachYielding, nextTurn } from '../../../emulator/lib/turns.js';

/** Counts the turns of the event loop until `work` is done. */
async function countTurns<T>(work: (turn: () => number) => Promise<T>): Promise<T> {
  let turn = 0;
  let isDone = false;
  const count = () => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  return work(() => turn).finally(() => {
    isDone = true;
  });
}

test('of all that waits for a turn, one goes on in each turn of the event loop, in order', async () => {
  const turns = await countTurns((turn) =>
    Promise.all(Array.from({ length: 5 }, () => nextTurn().then(turn))),
  );
  expect(new Set(turns).size).toBe(5);
  expect(turns).toEqual([...turns].sort((a, b) => a - b));
});

test('long work over many items lets the event loop turn in between', async () => {
  const seen: number[] = [];
  const turns = await countTurns(async (turn) => {
    await forEachYielding([1, 2, 3, 4], (item) => {
      const ends = performance.now() + 11;
      while (performance.now() < ends);
      seen.push(item);
    });
    return turn();
  });
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(turns).toBeGreaterThanOrEqual(3);
});
