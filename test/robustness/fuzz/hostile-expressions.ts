import fc from 'fast-check';
import { measureHeldBytes } from '../../support/held-memory.js';
import { HostileService, POSITIONS } from './hostile-service.js';
import { hostileCase } from './hostile-values.js';
import { fuzzParameters } from './parameters.js';

interface HostileReport {
  /** Number of responses by status. */
  statuses: Map<number, number>;
  slowest: { position: string; ms: number };
  /** Bytes that the emulator holds after the second half of the requests more than after the first. */
  grownBytes: number;
}

/**
 * Evaluates generated expressions over large and deep data in every position of an expression. Fails on any 5xx other
 * than a reactor's own.
 */
export async function fuzzExpressions(requests: number): Promise<HostileReport> {
  const service = await HostileService.start();
  let sent = 0;
  let heldAfterHalf = 0;
  try {
    const property = fc.asyncProperty(
      fc.constantFrom(...POSITIONS),
      hostileCase,
      async (position, [data, write]) => {
        await service.check(position, data, write);
        if (++sent === Math.ceil(requests / 2)) heldAfterHalf = await measureHeldBytes();
      },
    );
    await fc.assert(property, { ...fuzzParameters(requests), endOnFailure: true });
    const { statuses, slowest } = service;
    return { statuses, slowest, grownBytes: (await measureHeldBytes()) - heldAfterHalf };
  } finally {
    await service.close();
  }
}
