import fc from 'fast-check';
import { fuzzParameters } from './parameters.js';
import { anyRequest } from './request.js';
import { FuzzedService } from './service.js';

/**
 * Sends generated requests to one emulator: values at the limits of the contract's schemas, malformed bodies, headers,
 * paths and methods. Fails on a response that the contract does not list, and on a 5xx other than a reactor's own.
 * @returns the number of responses by status
 */
export async function fuzz(requests: number): Promise<Map<number, number>> {
  const service = await FuzzedService.start();
  try {
    await fc.assert(
      fc.asyncProperty(anyRequest, (request) => service.check(request)),
      fuzzParameters(requests),
    );
    return service.statuses;
  } finally {
    await service.close();
  }
}
