import { expect, it } from 'vitest';
import { width } from '../../support/width.js';
import { fuzz } from './fuzz.js';

const REQUESTS = width(500, 10_000);

it(`every response to ${REQUESTS} generated requests matches the contract`, async () => {
  const statuses = await fuzz(REQUESTS);
  // Not only errors: some requests pass all checks.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 400, 404]));
});
