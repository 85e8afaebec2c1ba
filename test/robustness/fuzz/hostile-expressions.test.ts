import { expect, it } from 'vitest';
import { SWEEP_TIMEOUT_MS, width } from '../../support/width.js';
import { fuzzExpressions } from './hostile-expressions.js';

const REQUESTS = width(150, 10_000);
const MAX_RETAINED_BYTES = 100_000_000;

it(`${REQUESTS} expressions over large and deep data never fail with 5xx, and leave no memory behind`, {
  timeout: SWEEP_TIMEOUT_MS,
}, async () => {
  const { statuses, slowest, retainedBytes } = await fuzzExpressions(REQUESTS);
  const seconds = (slowest.ms / 1_000).toFixed(2);
  const retained = Math.round(retainedBytes / 1e6);
  process.stdout.write(`slowest request: ${slowest.position}, ${seconds} s; retained: ${retained} MB\n`);
  // Not only errors: some expressions can be evaluated.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400]));
  expect(retainedBytes).toBeLessThan(MAX_RETAINED_BYTES);
});
