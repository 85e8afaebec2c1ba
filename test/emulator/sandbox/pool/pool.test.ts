import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../emulator/sandbox/limits.js';
import { Instance } from '../../../../emulator/sandbox/pool/instance.js';
import { Pool } from '../../../../emulator/sandbox/pool/pool.js';

test('if no thread can be started for an instance, only the invocation that needs it fails', async () => {
  let isFull = false;
  let spareAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    spareAsked = resolve;
  });
  const pool = new Pool(() => {
    if (isFull) {
      spareAsked();
      throw new Error('no thread left');
    }
    isFull = true;
    return new Instance({ runtime: 'node', network: { mode: 'none' }, limits: DEFAULT_LIMITS });
  }, DEFAULT_LIMITS);
  onTestFinished(() => pool.close());
  const acquire = (reactorId: string) =>
    pool.acquire(
      { reactorId, version: '1', depth: 0, tenantId: '', isBackground: false },
      new AbortController().signal,
    );
  expect(await acquire('first')).toMatchObject({ reactorId: 'first' });
  // By itself, a little later; a rejection that nobody handles would end the process.
  await asked;
  await pool.prepareSpare();
  await expect(acquire('second')).rejects.toThrow('no thread left');
});

test('a tenant holds its share of the instances, less in the background, and leaves the rest to others', async () => {
  const limits = { ...DEFAULT_LIMITS, instances: 4 };
  const options = { runtime: 'node', network: { mode: 'none' }, limits } as const;
  const pool = new Pool(() => new Instance(options), limits);
  onTestFinished(() => pool.close());
  const acquire = (tenantId: string, isBackground = false) =>
    pool.acquire(
      { reactorId: `of ${tenantId}`, version: '1', depth: 0, tenantId, isBackground },
      new AbortController().signal,
    );
  await acquire('a', true);
  const second = acquire('a', true);
  const held = await acquire('a');
  await acquire('a');
  const fourth = acquire('a');
  expect(pool.stats()).toMatchObject({ running: 3, queued: 2 });
  await acquire('b');
  expect(pool.stats()).toMatchObject({ running: 4, queued: 2 });
  if (typeof held === 'string') throw new Error('It was acquired.');
  pool.release(held, false);
  expect(await Promise.race([second, fourth])).toMatchObject({ isBackground: false });
});

test.each([
  ['stays warm while there is memory for idle ones', 512 * 1024 ** 2, 1],
  ['is dropped when there is none', 1, 0],
])('an instance that is released %s', async (_, idleBytes, idle) => {
  const limits = { ...DEFAULT_LIMITS, idleBytes };
  const options = { runtime: 'node', network: { mode: 'none' }, limits } as const;
  const pool = new Pool(() => new Instance(options), limits);
  onTestFinished(() => pool.close());
  const request = { reactorId: 'reactor', version: '1', depth: 0, tenantId: '', isBackground: false };
  const lease = await pool.acquire(request, new AbortController().signal);
  if (lease === 'busy') throw new Error('It was acquired.');
  await lease.instance.ready;
  pool.release(lease, true);
  expect(pool.stats()).toMatchObject({ idle, running: 0 });
});
