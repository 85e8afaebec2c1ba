import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecordIndex } from '../../../../emulator/store/index/record-index.js';
import type { Row } from '../../../../emulator/store/index/row.js';

const TERMS = ['x', 'y', 'z'];

type TestRow = Row<{ id: string; revision: number; terms: string[] }>;

const id = fc.nat({ max: 150 }).map(String);
const keys = fc.record({
  created: fc.nat({ max: 40 }),
  terms: fc.subarray(TERMS, { minLength: 1 }),
});
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ put: id, keys }) },
  { weight: 3, arbitrary: fc.record({ remove: id }) },
  { weight: 1, arbitrary: fc.constant('look' as const) },
);
const steps = fc.array(step, { minLength: 200, maxLength: 800, size: 'max' });

/** In the order of lists, as a look at every row finds them. */
const rowsWith = (rows: Map<string, TestRow>, term: string) =>
  [...rows.values()]
    .filter(({ record }) => record.terms.includes(term))
    .sort((a, b) => b.created - a.created || (a.record.id < b.record.id ? -1 : 1));

const idsOf = (rows: TestRow[]) => rows.map(({ record }) => record.id);

it('the rows of a term are counted and ordered after any changes', () => {
  fc.assert(
    fc.property(steps, (steps) => {
      const index = new RecordIndex<TestRow>(0, ({ record }) => record.terms.map((term) => ['term', term]));
      let revision = 0;
      const row = (id: string, created: number, terms: string[]): TestRow => {
        revision += 1;
        return { record: { id, revision, terms }, created, times: [], line: undefined };
      };
      const expected = new Map<string, TestRow>();
      const check = () => {
        for (const term of TERMS) {
          const set = index.terms.get('term', term);
          const wanted = rowsWith(expected, term).map(({ record }) => record.id);
          expect([set.size, idsOf(index.page(set, 0, Number.POSITIVE_INFINITY))]).toEqual([
            wanted.length,
            wanted,
          ]);
          expect(idsOf(index.page(set, 2, 3))).toEqual(wanted.slice(2, 5));
        }
      };
      for (const one of steps) {
        if (one === 'look') check();
        else if ('remove' in one) {
          const present = index.get(one.remove);
          if (present !== undefined) index.remove(present);
          expected.delete(one.remove);
        } else {
          const next = row(one.put, one.keys.created, one.keys.terms);
          const present = index.get(one.put);
          if (present === undefined) index.add(next);
          else index.replace(present, next);
          expected.set(next.record.id, next);
        }
      }
      check();
    }),
    { numRuns: 60 },
  );
});
