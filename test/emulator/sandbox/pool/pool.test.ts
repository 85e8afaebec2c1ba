import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../emulator/sandbox/limits.js';
import { loadEngine } from '../../../../emulator/sandbox/pool/built-files.js';
import { Instance } from '../../../../emulator/sandbox/pool/instance.js';
import { Pool } from '../../../../emulator/sandbox/pool/pool.js';
import { createEngine } from '../../../../emulator/sandbox/quickjs-runtime/engine.js';
import { restoreImage } from '../../../../emulator/sandbox/quickjs-runtime/memory-image.js';
import { projectDir } from '../../../support/executable.js';
import { ownSandbox, returned, run, testSandbox } from '../../../support/sandbox.js';

/** Opens a pool of instances of runtime node until the test ends. @param onStart is called before each instance */
function openPool(limits = DEFAULT_LIMITS, onStart = () => {}) {
  const pool = new Pool(() => {
    onStart();
    return new Instance({ runtime: 'node', network: { mode: 'none' }, limits });
  }, limits);
  onTestFinished(() => pool.close());
  const acquire = (reactorId: string, more: { tenantId?: string; isBackground?: boolean } = {}) =>
    pool.acquire(
      { reactorId, version: '1', depth: 0, tenantId: '', isBackground: false, ...more },
      new AbortController().signal,
    );
  return { pool, acquire };
}

test('if no thread can be started for an instance, only the invocation that needs it fails', async () => {
  let isFull = false;
  let spareAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    spareAsked = resolve;
  });
  const { pool, acquire } = openPool(DEFAULT_LIMITS, () => {
    if (isFull) {
      spareAsked();
      throw new Error('no thread left');
    }
    isFull = true;
  });
  expect(await acquire('first')).toMatchObject({ reactorId: 'first' });
  // By itself, a little later; a rejection that nobody handles would end the process.
  await asked;
  await pool.prepareSpare();
  await expect(acquire('second')).rejects.toThrow('no thread left');
});

test('a tenant holds its share of the instances, less in the background, and leaves the rest to others', async () => {
  const { pool, acquire: acquireOf } = openPool({ ...DEFAULT_LIMITS, instances: 4 });
  const acquire = (tenantId: string, isBackground = false) =>
    acquireOf(`of ${tenantId}`, { tenantId, isBackground });
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
  const { pool, acquire } = openPool({ ...DEFAULT_LIMITS, idleBytes });
  const lease = await acquire('reactor');
  if (lease === 'busy') throw new Error('It was acquired.');
  await lease.instance.ready;
  pool.release(lease, true);
  expect(pool.stats()).toMatchObject({ idle, running: 0 });
});

const COUNTER = `let count = 0;
  module.exports = ({ configuration }) => ({ raw: [++count, configuration.NAME, Math.random(), Date.now()] });`;

const asTenant = (tenantId: string, NAME: string, now = 0) => ({
  reactorId: `reactor-of-${tenantId}`,
  tenantId,
  configuration: { NAME },
  clock: { now: () => now },
});

test('the same code has a state of its own for each tenant', async () => {
  const sandbox = ownSandbox();
  const first = (await returned(sandbox, COUNTER, asTenant('a', 'one', 1e12))) as { raw: unknown[] };
  const second = (await returned(sandbox, COUNTER, asTenant('b', 'two', 2e12))) as { raw: unknown[] };
  expect(first.raw.slice(0, 2)).toEqual([1, 'one']);
  expect(second.raw.slice(0, 2)).toEqual([1, 'two']);
  expect(second.raw[2]).not.toBe(first.raw[2]);
  expect(Number(second.raw[3])).toBeGreaterThanOrEqual(2e12);
  const again = (await returned(sandbox, COUNTER, asTenant('b', 'two'))) as { raw: unknown[] };
  expect(again.raw[0]).toBe(2);
});

test('packages have a state of their own for each tenant, and errors in them the position of the code', async () => {
  const modulesDir = await projectDir({
    'node_modules/large/index.js': `let calls = 0; exports.text = '${'x'.repeat(60_000)}'; exports.call = () => ++calls;`,
    'node_modules/broken/index.js': 'const = ;',
  });
  const code = `const { call } = require('large');
    module.exports = () => { if (call() > 1) require('broken'); return { raw: 1 }; };`;
  const sandbox = ownSandbox({ modulesDir });
  for (const tenantId of ['a', 'b']) {
    expect(await returned(sandbox, code, asTenant(tenantId, ''))).toEqual({ raw: 1 });
    expect(await run(sandbox, code, asTenant(tenantId, ''))).toMatchObject({
      error: { message: expect.stringContaining("'broken'"), position: { line: 2 } },
    });
  }
});

const startedAt = performance.now();
const sandbox = testSandbox();
const inThreeInstances = (code: string) =>
  Promise.all(['1', '2', '3'].map((reactorId) => returned(sandbox, code, { reactorId })));

test('instances of one image draw different random numbers', async () => {
  const drawn = await inThreeInstances('module.exports = () => ({ raw: [Math.random(), Math.random()] })');
  const numbers = drawn.flatMap((value) => (value as { raw: number[] }).raw);
  expect(new Set(numbers).size).toBe(6);
});

test('the clocks of an instance start with it, not with the image', async () => {
  const code = 'module.exports = () => ({ raw: [performance.now() / 1000, process.uptime()] })';
  for (const value of await inThreeInstances(code)) {
    for (const seconds of (value as { raw: number[] }).raw) {
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThan((performance.now() - startedAt) / 1000);
    }
  }
});

test('an image of another engine is refused', async () => {
  const { wasmModule, image } = await loadEngine();
  const { context, memory } = await createEngine(wasmModule, 32 * 1024 ** 2);
  const target = { memory, host: context.newObject(), api: context.newObject() };
  const before = new Uint8Array(memory.buffer.slice(0));
  expect(() => restoreImage(target, image)).toThrow('The memory image was built for another engine.');
  expect(Buffer.compare(before, new Uint8Array(memory.buffer))).toBe(0);
});
