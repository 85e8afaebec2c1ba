import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SortedRows } from '../../../../emulator/store/index/sorted-rows.js';

const steps = fc.array(fc.record({ add: fc.boolean(), value: fc.nat({ max: 30 }), read: fc.boolean() }));

it('rows are in ascending order after any additions and removals', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 30 })), steps, (loaded, steps) => {
      const sorted = new SortedRows<number>((a, b) => a - b);
      const expected = new Set(loaded);
      for (const value of loaded) sorted.add(value);
      for (const { add, value, read } of steps) {
        if (!add) sorted.remove(value);
        else if (!expected.has(value)) sorted.add(value);
        if (add) expected.add(value);
        else expected.delete(value);
        if (read) expect(sorted.rows).toEqual([...expected].sort((a, b) => a - b));
      }
      expect(sorted.rows).toEqual([...expected].sort((a, b) => a - b));
    }),
  );
});
