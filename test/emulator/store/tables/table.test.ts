import { expect, it, onTestFinished, vi } from 'vitest';
import { COLLECTIONS } from '../../../../emulator/store/collections.js';
import type { LogRecord } from '../../../../emulator/store/records.js';
import { firstKept, type Retention } from '../../../../emulator/store/retention.js';
import { Table } from '../../../../emulator/store/tables/table.js';
import { retainLog } from '../../../support/log-retention.js';
import { logEntry, token } from '../contract.js';

/** As many as the table drops at a time. */
const MANY = 5_000;

function record(number: number): LogRecord & { revision: number } {
  return { ...logEntry(number, { id: `e${number}` }).record, revision: number };
}

/** A table whose records have lines. It notes the revisions whose lines are dead. */
function tableOf(retention: Retention) {
  retainLog(retention);
  const dead: (number | undefined)[] = [];
  const table = new Table(COLLECTIONS.log, {
    scheduleErase: (rows) => void dead.push(...[...rows].map(({ line }) => line?.offset)),
  });
  const put = (number: number) => table.put(record(number), { segment: 1, offset: number, length: 1 });
  return { table, put, dead };
}

it.each([
  ['the last ones, however old they are', { records: 4, ageMs: 0, mostRecords: 9 }, 2],
  ['those that are young, however many', { records: 1, ageMs: 3, mostRecords: 9 }, 2],
  ['whichever is more', { records: 3, ageMs: 4, mostRecords: 9 }, 1],
  ['no more than the bound', { records: 1, ageMs: 9, mostRecords: 2 }, 4],
  ['all, if they are few', { records: 6, ageMs: 0, mostRecords: 9 }, 0],
])('a retention keeps %s', (_, retention, first) => {
  expect(
    firstKept(
      [1, 2, 3, 4, 5, 6].map((created) => ({ created })),
      retention,
    ),
  ).toBe(first);
});

it('drops the oldest entries from all indexes, and says from when on it is complete', () => {
  const { table, put, dead } = tableOf({ records: MANY - 2, ageMs: 0, mostRecords: 2 * MANY });
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
  const { table, put } = tableOf({ records: MANY, ageMs: 0, mostRecords: MANY });
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
  const { now } = performance;
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed++);
  onTestFinished(() => void vi.restoreAllMocks());
  const pending = table.prepare(where);
  put(count, `cus_${count}`);
  put(count - 1, 'cus_other');
  put(1, 'other');
  expect(pending).toBeDefined();
  await pending;
  expect(table.prepare(where)).toBeUndefined();
  expect(table.page(where, 0, 1).total).toBe(count - 1);
});
