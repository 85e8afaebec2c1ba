import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Row } from '../../../../emulator/store/index/index-keys.js';
import { RecordIndex } from '../../../../emulator/store/index/record-index.js';
import { HASH_LENGTH } from '../../../../emulator/store/index/term-hash.js';

const TERMS = ['x', 'y', 'z'].map((letter) => letter.repeat(HASH_LENGTH));

const id = fc.nat({ max: 150 }).map(String);
const keys = fc.record({
  created: fc.nat({ max: 40 }),
  hashes: fc.subarray(TERMS, { minLength: 1 }).map((terms) => terms.join('')),
});
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ put: id, keys }) },
  { weight: 3, arbitrary: fc.record({ remove: id }) },
  { weight: 1, arbitrary: fc.constant('look' as const) },
);
const steps = fc.array(step, { minLength: 200, maxLength: 800, size: 'max' });

/** In the order of lists, as a look at every row finds them. */
const rowsWith = (rows: Map<string, Row>, term: string) =>
  [...rows.values()]
    .filter(({ hashes }) => hashes?.includes(term))
    .sort((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1));

it('the rows of a term are counted and ordered after any changes, those found by a start included', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(id, keys), { selector: ([id]) => id }), steps, (found, steps) => {
      const index = new RecordIndex<Row>(0, false);
      let rev = 0;
      const row = (id: string, created: number, hashes: string | undefined): Row => {
        rev += 1;
        return { id, rev, created, times: [], hashes };
      };
      const expected = new Map(found.map(([id, { created, hashes }]) => [id, row(id, created, hashes)]));
      // Of every second row the journal has no keyed hashes.
      const loaded = found.map(([id, { created, hashes }], i) =>
        row(id, created, i % 2 === 0 ? hashes : undefined),
      );
      index.load(new Map(loaded.map((one) => [one.id, one])), ({ id }) => expected.get(id)?.hashes ?? '');
      const check = () => {
        for (const term of TERMS) {
          const set = index.terms.get(term);
          const wanted = rowsWith(expected, term).map(({ id }) => id);
          expect([set.size, index.page(set, 0, Number.POSITIVE_INFINITY).map(({ id }) => id)]).toEqual([
            wanted.length,
            wanted,
          ]);
          expect(index.page(set, 2, 3).map(({ id }) => id)).toEqual(wanted.slice(2, 5));
        }
      };
      for (const one of steps) {
        if (one === 'look') check();
        else if ('remove' in one) {
          const present = index.get(one.remove);
          if (present !== undefined) index.remove(present);
          expected.delete(one.remove);
        } else {
          const next = row(one.put, one.keys.created, one.keys.hashes);
          const present = index.get(one.put);
          if (present === undefined) index.add(next);
          else index.replace(present, next);
          expected.set(next.id, next);
        }
      }
      check();
    }),
    { numRuns: 60 },
  );
});
