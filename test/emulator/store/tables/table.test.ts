import fc from 'fast-check';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { COLLECTIONS } from '../../../../emulator/store/collections.js';
import { LineLedger } from '../../../../emulator/store/compaction/line-ledger.js';
import type { Condition } from '../../../../emulator/store/condition.js';
import type { Row } from '../../../../emulator/store/index/row.js';
import { SortedRows } from '../../../../emulator/store/index/sorted-rows.js';
import { matches } from '../../../../emulator/store/matches.js';
import { createMemoryStore } from '../../../../emulator/store/memory-store.js';
import type { LogRecord, TokenRecord } from '../../../../emulator/store/records.js';
import type { Store } from '../../../../emulator/store/store.js';
import { Table } from '../../../../emulator/store/tables/table.js';
import { retainLog } from '../../../support/log-retention.js';
import { insert, logEntry, TENANT, token } from '../contract.js';

/** As many as the table drops at a time. */
const MANY = 5_000;

function record(number: number): LogRecord & { revision: number } {
  return { ...logEntry(number, { id: `e${number}` }).record, revision: number };
}

/** A table whose records have lines. It notes the revisions whose lines are dead. */
function tableOf(retention: number) {
  retainLog(retention);
  const dead: (number | undefined)[] = [];
  const table = new Table(COLLECTIONS.log, {
    scheduleErase: (rows) => void dead.push(...[...rows].map(({ line }) => line?.offset)),
  });
  const put = (number: number) => table.put(record(number), { segment: 1, offset: number, length: 1 });
  return { table, put, dead };
}

/** Each look at the time takes a millisecond. */
function makeTimePass(): void {
  const { now } = performance;
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed++);
  onTestFinished(() => void vi.restoreAllMocks());
}

it('drops the oldest entries from all indexes, and says from when on it is complete', () => {
  const { table, put, dead } = tableOf(MANY - 2);
  for (let number = 1; number < MANY; number += 1) put(number);
  expect(table.page({ term: 'operation', is: 'read' }, 0, 1)).toMatchObject({
    total: MANY - 1,
    completeFrom: 1,
  });
  put(MANY);
  expect(dead).toEqual([1, 2]);
  expect(table.page({ term: 'operation', is: 'read' }, 0, 1)).toMatchObject({
    total: MANY - 2,
    completeFrom: 3,
  });
  expect([table.size, table.get('e2')]).toEqual([MANY - 2, undefined]);
});

it('what begins with a prefix is found ahead of the page, which shows it as it is then', async () => {
  const { table, put } = tableOf(MANY);
  for (const number of [10, 11, 20]) put(number);
  const where = { term: 'id', prefix: 'e1' } as const;
  await table.prepare(where);
  expect(table.prepare(where)).toBeUndefined();
  table.remove('e10');
  expect(table.page(where, 0, 9).records.map(({ id }) => id)).toEqual(['e11']);
  await table.prepare({ not: { all: [where] } });
  expect(table.page({ not: { all: [where] } }, 0, 9).records.map(({ id }) => id)).toEqual(['e20']);
});

it('what changes while prefixes are looked for is found as often as it matches', async () => {
  const table = new Table(COLLECTIONS.tokens, undefined);
  const put = (number: number, customer: string) =>
    table.put({ ...token(`t${number}`, 0, { metadata: { customer } }), revision: number }, undefined);
  const where = { term: 'metadata.customer', prefix: 'cus' } as const;
  const count = 2_000;
  for (let number = 1; number <= count; number += 1) put(number, `cus_${number}`);
  await table.prepare({ term: 'metadata.customer', is: '' });
  // They are looked at in slices, as many are.
  makeTimePass();
  const pending = table.prepare(where);
  put(count, `cus_${count}`);
  put(count - 1, 'cus_other');
  put(1, 'other');
  expect(pending).toBeDefined();
  await pending;
  expect(table.prepare(where)).toBeUndefined();
  expect(table.page(where, 0, 1).total).toBe(count - 1);
});

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

it('a removal that is written while lines are gathered counts until its own lines are erased', async () => {
  const ledger = new LineLedger();
  const remove = (number: number) => {
    const line = { segment: 1, offset: number * 10, length: 9 };
    ledger.noteWritten(
      { op: 'remove', collection: 'tokens', tenantId: 't', id: `t${number}`, revision: number },
      line,
    );
    return line;
  };
  remove(1);
  ledger.scheduleErase(
    Array.from({ length: 100 }, (_, at) => ({ line: { segment: 2, offset: at, length: 1 } })),
  );
  // They are gathered in slices, as many are.
  makeTimePass();
  const taking = ledger.take();
  const later = remove(2);
  ledger.settle(await taking);
  expect(ledger.liveLines(1)).toEqual([later]);
});

/** More than fit into a page that is sorted. */
const TOKENS = 6000;

const tokens: TokenRecord[] = Array.from({ length: TOKENS }, (_, i) =>
  token(`token-${(i * 7919) % TOKENS}`, Math.floor(i / 3) % 4000, {
    type: i % 10 === 0 ? 'card' : 'token',
    containers: [i % 2 === 0 ? '/pci/high/' : '/general/high/'],
    metadata: { group: `g${i % 3}`, single: `s${i}` },
    ...(i % 4 === 0 ? { expires_at: new Date((i + 1) * 1000).toISOString() } : {}),
  }),
);

const time = fc.integer({ min: -1000, max: TOKENS * 1000 });
const simple = fc.oneof(
  fc.constantFrom<Condition<'tokens'>>(
    { term: 'type', is: 'card' },
    { term: 'type', is: 'token' },
    { term: 'container', is: '/' },
    { term: 'container', is: '/pci/' },
    { term: 'metadata.group', is: 'G1' },
    { term: 'metadata.single', is: 's17' },
    { term: 'metadata.single', prefix: 'S1' },
    { term: 'metadata.single', is: 'nothing' },
    { ids: ['token-1', 'token-5', 'unknown'] },
    { all: [] },
    { any: [] },
  ),
  time.map((lte): Condition<'tokens'> => ({ range: 'expires_at', lte })),
  time.map((gt): Condition<'tokens'> => ({ range: 'expires_at', gt, lt: gt + 1_000_000 })),
  fc.integer({ min: 0, max: 4000 }).map((minute): Condition<'tokens'> => {
    return { range: 'created_at', gte: Date.UTC(2026, 10, 1, 0, minute) };
  }),
);

const { condition } = fc.letrec<{ condition: Condition<'tokens'> }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ),
}));

let store: Store;
beforeAll(async () => {
  store = createMemoryStore();
  await insert(store, ...tokens.map((record) => structuredClone(record)));
});

it('the indexes find what a scan of all records finds, page by page', async () => {
  const ordered = tokens.toSorted((a, b) => {
    return Date.parse(b.created_at) - Date.parse(a.created_at) || (a.id < b.id ? -1 : 1);
  });
  await fc.assert(
    fc.asyncProperty(condition, fc.nat({ max: 3000 }), fc.nat({ max: 50 }), async (where, offset, limit) => {
      const found = await store.find('tokens', { tenantId: TENANT, where, offset, limit });
      const expected = ordered.filter((record) => matches(COLLECTIONS.tokens, record, where));
      expect(found.total).toBe(expected.length);
      expect(found.records.map(({ id }) => id)).toEqual(
        expected.slice(offset, offset + limit).map(({ id }) => id),
      );
    }),
    { numRuns: 150 },
  );
});
