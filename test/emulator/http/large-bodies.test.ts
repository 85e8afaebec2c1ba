import { expect, test } from 'vitest';
import { turnForLargeBody } from '../../../emulator/http/large-bodies.js';

test('of large bodies that arrive together, one is handled in each turn of the event loop', async () => {
  let turn = 0;
  let isDone = false;
  const count = () => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const turns = await Promise.all(Array.from({ length: 5 }, () => turnForLargeBody().then(() => turn)));
  isDone = true;
  expect(new Set(turns).size).toBe(5);
});
