import { describe, expect, test } from 'vitest';
import { AdaptiveLimiter } from '../../../src/cli/bulk/adaptive-limiter.js';
import { type Batch, BulkJob, groupRows } from '../../../src/cli/bulk/bulk-job.js';
import { Checkpoint } from '../../../src/cli/bulk/checkpoint.js';
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

/** Runs a job of 30 rows in batches of 10. @param process carries out a batch, named by its first row */
async function runJob(process: (first: number) => Promise<void>) {
  const checkpoint = await Checkpoint.open(undefined, { target: 'https://api.example.com' });
  const { signal } = new AbortController();
  const committed: number[] = [];
  async function* rows() {
    for (let number = 1; number <= 30; number++) yield number % 10 === 5 ? reject(number) : row(number);
  }
  const job = new BulkJob<ImportRow>({
    rows: rows(),
    batch: 10,
    limiter: new AdaptiveLimiter(4, signal),
    process: async ([first]) => {
      await process(first?.number ?? 0);
      return [reject((first?.number ?? 0) + 2)];
    },
    reject: async (rejects) => {
      committed.push(...rejects.map(({ number }) => number));
      return committed.length;
    },
    checkpoint,
    signal,
    onProgress: () => {},
  });
  return { running: job.run(), committed, state: checkpoint.state };
}

test('a batch is committed only after all batches before it', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const others: number[] = [];
  const { running, committed, state } = await runJob(async (first) => {
    if (first === 1) await released;
    else others.push(first);
  });
  await expect.poll(() => others).toEqual([11, 21]);
  expect([state.done, committed]).toEqual([0, []]);
  release();
  await running;
  expect([state.done, committed]).toEqual([30, [3, 5, 13, 15, 23, 25]]);
  expect(state).toMatchObject({ rejected: 6, rejects_bytes: 6 });
});

test('what comes before the first error is committed, and nothing after it', async () => {
  const failure = new Error('gone');
  const { running, committed, state } = await runJob(async (first) => {
    if (first === 11) throw failure;
  });
  await expect(running).rejects.toBe(failure);
  expect([state.done, committed]).toEqual([10, [3, 5]]);
});
