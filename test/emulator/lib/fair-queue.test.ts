import { expect, test } from 'vitest';
import { FairQueue } from '../../../emulator/lib/fair-queue.js';

const never = new AbortController().signal;
const ask = (tenantId: string, rank = 0) => ({ tenantId, rank });
const rankOf = ({ rank }: ReturnType<typeof ask>) => rank;

test('tenants take turns; of one tenant, the request with the lowest rank is next', async () => {
  const queue = new FairQueue<ReturnType<typeof ask>>();
  const requests = [ask('a', 2), ask('a', 1), ask('a', 2), ask('b', 9)];
  const waits = requests.map((request) => queue.wait(request, never));
  const order = requests.map(() => requests.indexOf(queue.admitNext(rankOf) as never));
  expect(order).toEqual([1, 3, 0, 2]);
  expect(await Promise.all(waits)).toEqual([true, true, true, true]);
  expect(queue.admitNext(rankOf)).toBeUndefined();
});

test('a request that must keep waiting lets others pass, and leaves when its signal fires', async () => {
  const queue = new FairQueue<ReturnType<typeof ask>>();
  const controller = new AbortController();
  const stuck = queue.wait(ask('a', Number.POSITIVE_INFINITY), controller.signal);
  const other = ask('a', 1);
  const passed = queue.wait(other, never);
  expect(queue.admitNext(rankOf)).toBe(other);
  expect(await passed).toBe(true);
  expect(queue.admitNext(rankOf)).toBeUndefined();
  controller.abort();
  expect(await stuck).toBe(false);
  expect(queue.requests).toEqual([]);
  expect(await queue.wait(ask('a'), controller.signal)).toBe(false);
});

test('the wait of all requests can be ended', async () => {
  const queue = new FairQueue<ReturnType<typeof ask>>();
  const waits = [queue.wait(ask('a'), never), queue.wait(ask('b'), never)];
  queue.endAll();
  expect(await Promise.all(waits)).toEqual([false, false]);
});
