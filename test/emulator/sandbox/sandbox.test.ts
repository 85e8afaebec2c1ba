import { describe, expect, test } from 'vitest';
import type { SvcCall } from '../../../emulator/sandbox/invocation.js';
import { ownSandbox, returned, run, testSandbox } from '../../support/sandbox.js';

/** Runs until `release` of `held` is called. */
const HELD = 'module.exports = async ({ svc }) => ({ raw: await svc.tokens.get("id") })';

function held() {
  let release = () => {};
  const released = new Promise<null>((resolve) => {
    release = () => resolve(null);
  });
  return { svc: () => released, release };
}

describe.each(['quickjs', 'node'] as const)('the code contract, runtime %s (decisions.md)', (runtime) => {
  const sandbox = testSandbox({ runtime });

  test.each([
    ['CommonJS, asynchronous', 'module.exports = async (req) => ({ raw: req.args })'],
    ['CommonJS, not asynchronous', 'module.exports = function (req) { return { raw: req.args } }'],
    ['ES module, default export', 'export default async (req) => ({ raw: req.args })'],
    ['transpiled ES module', 'exports.__esModule = true; exports.default = (req) => ({ raw: req.args })'],
    ['with a hashbang', '#!/usr/bin/env node\nmodule.exports = (req) => ({ raw: req.args })'],
  ])('accepts %s', async (_name, code) => {
    expect(await returned(sandbox, code, { args: { n: 1, s: 'é\u0000\ud800' } })).toEqual({
      raw: { n: 1, s: 'é\u0000\ud800' },
    });
  });

  test('import() loads the same modules as require', async () => {
    const code = `module.exports = async () => { const { createHash, default: all } = await import('node:crypto');
      return { raw: [createHash('md5').digest('hex'), all.createHash === createHash] } }`;
    expect(await returned(sandbox, code)).toEqual({ raw: ['d41d8cd98f00b204e9800998ecf8427e', true] });
  });

  test('the caller can cancel, before and while the code runs', async () => {
    const code = 'module.exports = () => new Promise((done) => setTimeout(done, 60_000))';
    const cancel = new AbortController();
    const running = run(sandbox, code, { timeoutMs: 60_000, signal: cancel.signal });
    setTimeout(() => cancel.abort(), 50);
    expect(await running).toMatchObject({ kind: 'cancelled' });
    expect(await run(sandbox, code, { signal: cancel.signal })).toMatchObject({ kind: 'cancelled' });
  });

  test('invocations above the limit are queued, until their deadline', async () => {
    const small = ownSandbox({ runtime, limits: { instances: 1, instancesPerReactor: 1 } });
    const { svc, release } = held();
    const [first, second] = [run(small, HELD, { svc }), run(small, HELD, { svc })];
    const late = run(small, 'module.exports = () => ({})', { timeoutMs: 20 });
    expect(await late).toMatchObject({ kind: 'busy' });
    release();
    expect([await first, await second]).toMatchObject([{ kind: 'returned' }, { kind: 'returned' }]);
  });

  test('reactors that call one another do not wait for instances that they hold themselves', async () => {
    const small = ownSandbox({ runtime, limits: { instances: 2, instancesPerReactor: 1, depth: 3 } });
    const code = (name: string) =>
      `module.exports = async ({ svc }) => ({ raw: ['${name}', await svc.reactors.react('next')] })`;
    const last = 'module.exports = async () => "end"';
    let outer = 0;
    let bothRun = () => {};
    const both = new Promise<void>((resolve) => {
      bothRun = resolve;
    });
    const svcAt =
      (depth: number): SvcCall =>
      async () => {
        if (depth === 1 && ++outer === 2) bothRun();
        await both;
        return returned(small, depth === 3 ? last : code('itself'), { depth, svc: svcAt(depth + 1) });
      };
    const chain = (name: string) => returned(small, code(name), { svc: svcAt(1) });
    const inner = { raw: ['itself', { raw: ['itself', 'end'] }] };
    expect(await Promise.all([chain('a'), chain('b')])).toEqual([
      { raw: ['a', inner] },
      { raw: ['b', inner] },
    ]);
  });

  test('a response of svc that arrives after its invocation is not delivered to the next invocation', async () => {
    const code = `module.exports = async ({ args, svc }) => {
        const answer = svc.tokens.get(args);
        return args === 'first' ? {} : { raw: await answer };
      }`;
    const answers = new Map<unknown, (value: string) => void>();
    let secondAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      secondAsked = resolve;
    });
    const svc: SvcCall = (_method, [id]) => {
      if (id === 'second') secondAsked();
      return new Promise((resolve) => answers.set(id, resolve));
    };
    await run(sandbox, code, { args: 'first', svc });
    const second = returned(sandbox, code, { args: 'second', svc });
    await asked;
    answers.get('first')?.('for the first');
    // In its own turn, since answers of one turn would arrive in the other order.
    await new Promise(setImmediate);
    answers.get('second')?.('for the second');
    expect(await second).toEqual({ raw: 'for the second' });
  });
});

describe.each(['quickjs', 'node'] as const)('errors, runtime %s', (runtime) => {
  const sandbox = testSandbox({ runtime });

  test.each([
    ['CommonJS', 'let a = 1;\nlet b = = 2;'],
    ['an ES module', 'export default 1;\nlet b = = 2;'],
    ['code that closes its wrapper', '\n}); (function () {'],
  ])('%s that does not parse is a load error', async (_name, code) => {
    expect(await run(sandbox, code)).toMatchObject({ kind: 'load-error' });
  });

  test.each(['module.exports = 1', 'export const a = 1', ''])(
    'no function: %j is a load error',
    async (code) => {
      expect(await run(sandbox, code)).toMatchObject({
        kind: 'load-error',
        message: 'The code exports no function: assign one to module.exports, or export it as default.',
      });
    },
  );
});
