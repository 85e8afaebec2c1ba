import { describe, expect, it } from 'vitest';
import { FAULTS, runWithFaults } from './boundaries.js';

/** Every so many-th operation of the disk in this run; `npm run test:crash` takes each. */
const STRIDE = 9;

describe('a store whose disk fails at any operation', () => {
  it.each(FAULTS)(
    'loses nothing that was acknowledged and brings back nothing deleted: %j',
    async (fault) => {
      const { operations, wrong } = await runWithFaults(1, {});
      expect(wrong).toEqual([]);
      const points = Array.from({ length: Math.floor(operations / STRIDE) }, (_, i) => 1 + i * STRIDE);
      const results = await Promise.all(points.map((at) => runWithFaults(1, { [at]: fault })));
      const failed = results.flatMap(({ wrong }, i) =>
        wrong.map((what) => `operation ${points[i]}: ${what}`),
      );
      expect(failed).toEqual([]);
      expect(points.length).toBeGreaterThan(5);
    },
  );
});
