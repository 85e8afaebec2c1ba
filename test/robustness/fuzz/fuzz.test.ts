import { expect, it } from 'vitest';
import { fuzz } from './fuzz.js';

/** `npm run test:fuzz` sends 10,000. */
it('answers generated requests as the contract says', { timeout: 60_000 }, async () => {
  const statuses = await fuzz(500);
  // Not only refusals: what lies behind the checks is reached.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 400, 404]));
});
