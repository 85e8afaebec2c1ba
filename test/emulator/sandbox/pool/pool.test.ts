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
    pool.acquire({ reactorId, version: '1', depth: 0, group: '' }, new AbortController().signal);
  expect(await acquire('first')).toMatchObject({ reactorId: 'first' });
  // By itself, a little later; a rejection that nobody handles would end the process.
  await asked;
  await pool.prepareSpare();
  await expect(acquire('second')).rejects.toThrow('no thread left');
});
