import fc from 'fast-check';
import { expect, it } from 'vitest';
import { width } from '../../support/width.js';
import { fuzzParameters } from './parameters.js';
import { anyRequest } from './request.js';
import { FuzzedService } from './service.js';

const REQUESTS = width(500, 10_000);

/**
 * Values at the limits of the contract's schemas, malformed bodies, headers, paths and methods. Fails on a response that the
 * contract does not list, and on a 5xx other than a reactor's own.
 */
it(`every response to ${REQUESTS} generated requests matches the contract`, async () => {
  const service = await FuzzedService.start();
  try {
    await fc.assert(
      fc.asyncProperty(anyRequest, (request) => service.check(request)),
      fuzzParameters(REQUESTS),
    );
    // Not only errors: some requests pass all checks.
    expect([...service.statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 400, 404]));
  } finally {
    await service.close();
  }
});
