import fc from 'fast-check';
import { anyRequest } from './request.js';
import { FuzzedService } from './service.js';

/**
 * Sends generated requests to one emulator: around the edges of the contract's schemas, odd bodies, headers, paths and
 * methods. No answer may be a 5xx or one that the contract does not list (a reactor that failed answers 500 by contract).
 * @returns how often each status came
 */
export async function fuzz(requests: number): Promise<Map<number, number>> {
  const service = await FuzzedService.start();
  try {
    await fc.assert(
      fc.asyncProperty(anyRequest, (request) => service.check(request)),
      { numRuns: requests },
    );
    return service.statuses;
  } finally {
    await service.close();
  }
}
