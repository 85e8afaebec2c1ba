import { expect, test } from 'vitest';
import { RequestBudget } from '../../../emulator/expressions/index.js';
import { NOW } from './now.js';

test('20 requests that read 5 MB each wait for a thread at the same time', async () => {
  const data = 'x'.repeat(5_000_000);
  const evaluate = () => new RequestBudget(NOW).evaluate('{{ data | size }}', { data }, 'mask');
  expect(await Promise.all(Array.from({ length: 20 }, evaluate))).toEqual(Array(20).fill(5_000_000));
});
