import { describe, expect, test } from 'vitest';
import { RecordDigests } from '../../../emulator/data-dir/move/record-digests.js';
import type { Insert } from '../../../emulator/store/store.js';
import { retainLog } from '../../support/log-retention.js';

const setting = (id: string, value: unknown): Insert => ({ insert: 'settings', record: { id, value } });
const digestsOf = (...changes: Insert[]) => {
  const digests = new RecordDigests();
  for (const change of changes) digests.add(change);
  return digests;
};

const KEPT = 10;

/** Entries after the first five are a year younger. */
function entry(n: number): Insert {
  const record = { id: `e${n}`, tenant_id: 't', actor_type: 'system', entity_type: 'token' } as const;
  return {
    insert: 'log',
    record: {
      ...record,
      operation: 'read',
      created_at: n < 5 ? '2030-01-01T00:00:00.000Z' : '2031-01-01T00:00:00.000Z',
    },
  };
}

describe('two stores hold the same', () => {
  test('whatever the order of records and of their properties', () => {
    const one = digestsOf(setting('a', { x: 1, y: 2 }), setting('b', 1));
    expect(one.firstDifference(digestsOf(setting('b', 1), setting('a', { y: 2, x: 1 })))).toBeUndefined();
  });

  test.each([
    ['a changed value', [setting('a', 1), setting('b', 3)], 'b'],
    ['a missing record', [setting('a', 1)], 'b'],
    ['one record more', [setting('a', 1), setting('b', 2), setting('c', 2)], 'c'],
  ])('but for %s, which is named', (_, changes, id) => {
    const difference = digestsOf(setting('a', 1), setting('b', 2)).firstDifference(digestsOf(...changes));
    expect(difference).toBe(JSON.stringify(['settings', '', id]));
  });

  test('when one still has older entries of the audit log than are kept', () => {
    retainLog({ records: KEPT, ageMs: 1000, mostRecords: 100 });
    const [all, kept] = [new RecordDigests(), new RecordDigests()];
    for (let i = 0; i < KEPT + 5; i++) {
      all.add(entry(i));
      if (i >= 5) kept.add(entry(i));
    }
    expect(all.firstDifference(kept)).toBeUndefined();
    expect([all.counts.log, all.size]).toEqual([KEPT, KEPT]);
  });
});
