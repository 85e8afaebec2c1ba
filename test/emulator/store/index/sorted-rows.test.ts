import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Row } from '../../../../emulator/store/index/row.js';
import { SortedRows } from '../../../../emulator/store/index/sorted-rows.js';

const steps = fc.array(fc.record({ add: fc.boolean(), value: fc.nat({ max: 30 }), read: fc.boolean() }));

function rowAt(created: number): Row {
  return { record: { id: String(created) }, created, times: [], line: undefined };
}

it('rows are in ascending order after any additions and removals', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 30 })), steps, (loaded, steps) => {
      const sorted = new SortedRows(({ created }) => created);
      const rows = Array.from({ length: 31 }, (_, created) => rowAt(created));
      const rowOf = (value: number) => rows[value] as Row;
      const valuesOf = () => sorted.rows.map(({ created }) => created);
      const expected = new Set(loaded);
      for (const value of loaded) sorted.add(rowOf(value));
      for (const { add, value, read } of steps) {
        if (!add) sorted.remove(rowOf(value));
        else if (!expected.has(value)) sorted.add(rowOf(value));
        if (add) expected.add(value);
        else expected.delete(value);
        if (read) expect(valuesOf()).toEqual([...expected].sort((a, b) => a - b));
      }
      expect(valuesOf()).toEqual([...expected].sort((a, b) => a - b));
    }),
  );
});

it('a row that comes late is put into its place without sorting those behind it', () => {
  let reads = 0;
  const sorted = new SortedRows(({ created }) => {
    reads += 1;
    return created;
  });
  for (let time = 10; time <= 10_000; time += 1) sorted.add(rowAt(time));
  expect(sorted.rows).toHaveLength(9_991);
  reads = 0;
  sorted.add(rowAt(5));
  expect(sorted.rows[0]?.created).toBe(5);
  expect(reads).toBeLessThan(100);
});
