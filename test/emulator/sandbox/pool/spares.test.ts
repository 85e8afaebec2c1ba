import { expect, test } from 'vitest';
import type { Sandbox } from '../../../../emulator/sandbox/sandbox.js';
import { ownSandbox, returned, run } from '../../../support/sandbox.js';

const ECHO = 'module.exports = ({ args }) => ({ raw: args })';

/** Invokes a reactor once and gives its instance back, as an update of the reactor does. */
async function useOnce(sandbox: Sandbox, code: string, reactorId = 'used'): Promise<unknown> {
  const value = await returned(sandbox, code, { reactorId });
  sandbox.retire(reactorId);
  return value;
}

test('updates sent back to back start no thread for each version', async () => {
  const sandbox = ownSandbox();
  await sandbox.warm();
  for (let version = 0; version < 20; version++) {
    const code = `module.exports = () => ({ raw: ${version} })`;
    expect(await useOnce(sandbox, code, 'updated')).toEqual({ raw: version });
  }
  // The second is the spare that replaces the first, should it be late.
  expect(sandbox.stats().started).toBeLessThanOrEqual(2);
});

test('a thread that serves another reactor passes nothing of the last one on', async () => {
  let sandbox: Sandbox;
  // On a slow machine a second thread is started in between, and which one serves the other reactor is not known.
  do sandbox = await serveTwo();
  while (sandbox.stats().started > 1);
});

async function serveTwo(): Promise<Sandbox> {
  const sandbox = ownSandbox();
  await sandbox.warm();
  await useOnce(
    sandbox,
    `let count = 0;
    require('util').left = 'behind';
    globalThis.secret = 'card';
    Array.prototype.map = () => 'poisoned';
    Object.prototype.polluted = true;
    Math.random = () => 4;
    module.exports = async () => {
      setInterval(() => { globalThis.ticked = true; console.log('from the last reactor'); }, 1);
      fetch('http://127.0.0.1:1').catch(() => console.log('from the last reactor'));
      return { raw: ++count };
    }`,
  );
  const log: string[] = [];
  const code = `module.exports = async () => {
    await new Promise((done) => setTimeout(done, 30));
    return { raw: [typeof secret, [1].map((n) => n + 1)[0], ({}).polluted ?? null, Math.random() < 1, require('util').left ?? null, typeof ticked] };
  }`;
  const value = await returned(sandbox, code, { console: ({ message }) => log.push(message) });
  expect(value).toEqual({ raw: ['undefined', 2, null, true, null, 'undefined'] });
  expect(log).toEqual([]);
  return sandbox;
}

test.each([
  ['timed out', 'module.exports = async () => { for (;;); }', { timeoutMs: 50 }],
  [
    'ran out of memory',
    'module.exports = () => { const a = []; for (;;) a.push("x".repeat(1e6) + a.length) }',
    {},
  ],
])('a thread whose code %s is not used again', async (_name, code, extra) => {
  const sandbox = ownSandbox();
  await sandbox.warm();
  await run(sandbox, code, extra);
  expect(await useOnce(sandbox, ECHO)).toEqual({ raw: null });
  expect(sandbox.stats().discarded).toBe(1);
  expect(sandbox.stats().started).toBeGreaterThanOrEqual(2);
});

test('a thread whose guest has grown is not used again', async () => {
  const sandbox = ownSandbox({ limits: { retainedMemoryBytes: 24 * 1024 ** 2 } });
  await sandbox.warm();
  await useOnce(sandbox, 'const a = new Uint8Array(2e7).fill(1); module.exports = () => ({ raw: a.length })');
  await useOnce(sandbox, ECHO);
  expect(sandbox.stats().started).toBeGreaterThanOrEqual(2);
});

test('a thread of runtime node is not used again, since its code may have changed the thread', async () => {
  const sandbox = ownSandbox({ runtime: 'node' });
  await useOnce(sandbox, 'globalThis.secret = 1; module.exports = () => ({ raw: 1 })');
  expect(await useOnce(sandbox, 'module.exports = () => ({ raw: typeof secret })')).toEqual({
    raw: 'undefined',
  });
});

test('of many instances that are no longer needed, two stay', async () => {
  const sandbox = ownSandbox();
  const reactors = ['1', '2', '3', '4', '5'];
  await Promise.all(reactors.map((reactorId) => returned(sandbox, ECHO, { reactorId })));
  for (const reactorId of reactors) sandbox.retire(reactorId);
  await expect.poll(() => sandbox.stats().workers).toBe(2);
});
