import { expect, test } from 'vitest';
import { projectDir } from '../../../support/executable.js';
import { ownSandbox, returned, run } from '../../../support/sandbox.js';

/** Long enough to be compiled once. */
const LARGE = `/* ${'x'.repeat(60_000)} */`;
const COUNTER = `${LARGE}\nlet count = 0;
  module.exports = ({ configuration }) => ({ raw: [++count, configuration.NAME, Math.random(), Date.now()] });`;

const asTenant = (tenantId: string, NAME: string, now = 0) => ({
  reactorId: `reactor-of-${tenantId}`,
  tenantId,
  configuration: { NAME },
  clock: { now: () => now },
});

test('large code is compiled once for all tenants, each of which has its own state', async () => {
  const sandbox = ownSandbox();
  const first = (await returned(sandbox, COUNTER, asTenant('a', 'one', 1e12))) as { raw: unknown[] };
  const second = (await returned(sandbox, COUNTER, asTenant('b', 'two', 2e12))) as { raw: unknown[] };
  expect(sandbox.stats().compiled).toBe(1);
  expect(first.raw.slice(0, 2)).toEqual([1, 'one']);
  expect(second.raw.slice(0, 2)).toEqual([1, 'two']);
  expect(second.raw[2]).not.toBe(first.raw[2]);
  expect(Number(second.raw[3])).toBeGreaterThanOrEqual(2e12);
  const again = (await returned(sandbox, COUNTER, asTenant('b', 'two'))) as { raw: unknown[] };
  expect(again.raw[0]).toBe(2);
});

test('so are its packages, and a position in it is that of the code', async () => {
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
  expect(sandbox.stats().compiled).toBe(1);
});

test('of code that runs while it is compiled, nothing is kept', async () => {
  const sandbox = ownSandbox();
  const code = `${LARGE}}); globalThis.Math.random = () => 0; (function () {`;
  expect(await run(sandbox, code)).toMatchObject({ kind: 'load-error' });
  expect(sandbox.stats().compiled).toBe(0);
});

test('what a thread compiles that has run other code is not kept', async () => {
  const sandbox = ownSandbox({ limits: { spareDelayMs: 100_000 } });
  await sandbox.warm();
  await returned(sandbox, 'module.exports = () => ({ raw: 1 })', { reactorId: 'other' });
  sandbox.retire('other');
  await returned(sandbox, COUNTER, asTenant('a', 'one'));
  expect(sandbox.stats()).toMatchObject({ started: 1, compiled: 0 });
});
