import { expect, it } from 'vitest';
import { width } from '../../support/width.js';
import { fuzzExpressions } from './hostile-expressions.js';

const REQUESTS = width(20, 10_000);
/**
 * What the second half of the requests may leave behind. After the first half of a full run, the lists and caches of recent
 * requests, templates and compiled code are full, and vary by some 10 MB; the audit log and the usage report add 1 KB for each
 * token. The requests themselves have 130 MB.
 */
const MAX_GROWN_BYTES = 60_000_000;

it(`${REQUESTS} expressions over large and deep data never fail with 5xx, and leave no memory behind`, async () => {
  const { statuses, slowest, grownBytes } = await fuzzExpressions(REQUESTS);
  const seconds = (slowest.ms / 1_000).toFixed(2);
  const grown = Math.round(grownBytes / 1e6);
  process.stdout.write(
    `slowest request: ${slowest.position}, ${seconds} s; second half: ${grown} MB more held\n`,
  );
  // Not only errors: some expressions can be evaluated.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400]));
  expect(grownBytes).toBeLessThan(MAX_GROWN_BYTES);
});
