import { expect, test } from 'vitest';
import { InOrderCommitter } from '../../../src/cli/bulk/bulk-job.js';
import { Checkpoint, createState } from '../../../src/cli/bulk/checkpoint.js';
import type { Reject } from '../../../src/cli/bulk/row.js';

const reject = (number: number): Reject => ({ number, reason: 'no', original: {} });

async function open() {
  const identity = { target: 'https://api.example.com', tenant: undefined, source: undefined };
  const checkpoint = await Checkpoint.open('import', undefined, { ...createState(identity), import_id: 'a' });
  const rejected: number[] = [];
  const committer = new InOrderCommitter(checkpoint, undefined, ({ number }) => rejected.push(number));
  return { committer, rejected, state: checkpoint.state };
}

test('a batch is committed only after all batches before it', async () => {
  const { committer, rejected, state } = await open();
  for (const last of [10, 20, 30]) committer.begin(last);
  await committer.commit({ last: 20, rejects: [reject(15)] });
  expect([state.done, rejected, committer.pending]).toEqual([0, [], 3]);
  await committer.commit({ last: 10, rejects: [reject(3)] });
  expect([state.done, rejected, committer.pending]).toEqual([20, [3, 15], 1]);
  await committer.commit({ last: 30, rejects: [] });
  expect(state).toMatchObject({ done: 30, rejected: 2 });
});
