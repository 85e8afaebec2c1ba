import { describe, expect, test } from 'vitest';
import { type Batch, groupRows } from '../../../src/cli/bulk/bulk-job.js';
import type { ImportRow, Reject } from '../../../src/cli/bulk/row.js';

const row = (number: number, data: unknown = number): ImportRow => ({
  number,
  record: { type: 'token', data },
  original: {},
  ownId: true,
});
const reject = (number: number): Reject => ({ number, reason: 'no', original: {} });

async function group(rows: (ImportRow | Reject)[], size: number): Promise<Batch<ImportRow>[]> {
  async function* source() {
    yield* rows;
  }
  const batches: Batch<ImportRow>[] = [];
  for await (const batch of groupRows(source(), size)) batches.push(batch);
  return batches;
}

describe('groupRows', () => {
  test('groups rows by number; the last batch may be smaller', async () => {
    const batches = await group([row(1), row(2), row(3)], 2);
    expect(batches.map(({ last, rows }) => [last, rows.length])).toEqual([
      [2, 2],
      [3, 1],
    ]);
  });

  test('counts rejects as rows', async () => {
    const batches = await group([row(1), reject(2), row(3)], 2);
    expect(batches).toMatchObject([
      { last: 2, rows: [{ number: 1 }], rejects: [{ number: 2 }] },
      { last: 3, rows: [{ number: 3 }], rejects: [] },
    ]);
  });

  test('ends a batch at one million characters', async () => {
    const large = 'x'.repeat(600_000);
    const batches = await group([row(1, large), row(2, large), row(3)], 100);
    expect(batches.map(({ last }) => last)).toEqual([2, 3]);
  });

  test('returns no batch without rows', async () => {
    expect(await group([], 10)).toEqual([]);
  });
});
