import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { HostileService, POSITIONS } from './hostile-service.js';
import { hostileCase } from './hostile-values.js';

export interface HostileReport {
  /** Number of responses by status. */
  statuses: Map<number, number>;
  slowest: { position: string; ms: number };
  /** Bytes of heap and buffers that the emulator holds more than at the start. */
  retainedBytes: number;
}

/**
 * Evaluates generated expressions over large and deep data in every position of an expression. Fails on any 5xx other
 * than a reactor's own.
 */
export async function fuzzExpressions(requests: number): Promise<HostileReport> {
  const service = await HostileService.start();
  try {
    const before = heldBytes();
    const property = fc.asyncProperty(fc.constantFrom(...POSITIONS), hostileCase, (position, [data, write]) =>
      service.check(position, data, write),
    );
    await fc.assert(property, { numRuns: requests, endOnFailure: true });
    const { statuses, slowest } = service;
    return { statuses, slowest, retainedBytes: heldBytes() - before };
  } finally {
    await service.close();
  }
}

function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
