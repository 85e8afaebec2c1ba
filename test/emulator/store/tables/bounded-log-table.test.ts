import { expect, it } from 'vitest';
import { COLLECTIONS } from '../../../../emulator/store/collections.js';
import type { LogRecord } from '../../../../emulator/store/records.js';
import { firstKept, type Retention } from '../../../../emulator/store/retention.js';
import { BoundedLogTable } from '../../../../emulator/store/tables/bounded-log-table.js';

/** As many as the table drops at a time. */
const MANY = 5_000;

function record(number: number): LogRecord & { revision: number } {
  const what = { actor_type: 'system', entity_type: 'token', operation: 'read', message: '' } as const;
  const created_at = new Date(number).toISOString();
  return { id: `e${number}`, tenant_id: 't', ...what, created_at, revision: number };
}

/** A table whose records have lines. It notes the revisions whose lines are dead. */
function tableOf(retention: Retention) {
  const dead: number[] = [];
  const table = new BoundedLogTable<'log'>(COLLECTIONS.log, retention, {
    scheduleErase: ({ offset }) => dead.push(offset),
    scheduleEraseAll: () => expect.unreachable(),
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

it('drops the oldest entries, and says from when on it is complete', () => {
  const { table, put, dead } = tableOf({ records: MANY - 2, ageMs: 0, mostRecords: 2 * MANY });
  for (let number = 1; number < MANY; number += 1) put(number);
  expect(table.page(undefined, 0, 1)).toMatchObject({ total: MANY - 1, completeFrom: 1 });
  put(MANY);
  expect(dead).toEqual([1, 2]);
  expect(table.page(undefined, 0, 1)).toMatchObject({ total: MANY - 2, completeFrom: 3 });
  expect([table.size, table.get('e2'), table.lineOf('e2', 2)]).toEqual([MANY - 2, undefined, undefined]);
});

it('a page has what was there when it was asked for, newest first', async () => {
  const { table, put } = tableOf({ records: MANY, ageMs: 0, mostRecords: MANY });
  for (let number = 1; number <= 300; number += 1) put(number);
  const where = {
    all: [{ term: 'operation', is: 'read' } as const, { range: 'created_at', gt: 200 } as const],
  };
  await table.prepare(where);
  expect(table.prepare(where)).toBeUndefined();
  put(301);
  expect(table.page({ ...where }, 1, 1)).toMatchObject({ records: [{ id: 'e300' }], total: 101 });
});
