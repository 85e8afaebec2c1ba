import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Debugger } from '../../../support/debugger.js';
import { projectDir, startEmulatorProcess, startTokenctl, tokenctl } from '../../../support/executable.js';

const CHARGE = `import { double } from './double';

interface Request { args: { amount: number } }

export default async ({ args }: Request) => {
  const doubled: number = double(args.amount);
  console.log('doubled', doubled);
  return { raw: { doubled } };
};
`;

const FILES = {
  'tokenctl.yaml': 'reactors:\n  - name: charge\n    code: reactors/charge.ts\n',
  'reactors/charge.ts': CHARGE,
  'reactors/double.ts': 'export const double = (amount: number): number =>\n  amount * 2;\n',
  'reactors/charge.test.json': JSON.stringify({
    cases: [{ name: 'doubles', args: { amount: 2 }, result: { raw: { doubled: 4 } } }],
  }),
};

const LISTENING = /Debugger listening on ws:\/\/127\.0\.0\.1:\d+\/\S+/;

async function startInspected(command: string, env: Record<string, string> = {}) {
  const cwd = await projectDir(FILES);
  const running = startTokenctl(command, { cwd, env });
  await running.waitFor(LISTENING);
  return { cwd, ...running, attached: await Debugger.attach(running.printed()) };
}

describe('reactor run and test with --inspect-brk', () => {
  test('stop at the first statement and at a breakpoint in TypeScript, and go on to the result', async () => {
    const { attached, ended, printed } = await startInspected(
      'reactor run --inspect-brk 127.0.0.1:0 reactors/charge.ts --arg amount=21',
    );
    const first = await attached.paused();
    expect(first.at).toBe('charge.ts:6');
    expect(await attached.evaluate(first.frame, 'args')).toEqual({ amount: 21 });
    await attached.setBreakpoint('double.ts', 2);
    await attached.setBreakpoint('charge.ts', 8);
    await attached.resume();
    const inner = await attached.paused();
    expect([inner.at, await attached.evaluate(inner.frame, 'amount')]).toEqual(['double.ts:2', 21]);
    await attached.resume();
    const last = await attached.paused();
    expect([last.at, await attached.evaluate(last.frame, 'doubled')]).toEqual(['charge.ts:8', 42]);
    await attached.resume();
    expect(await ended).toEqual([0, null]);
    expect(printed()).toMatch(
      /runs in Node\.js, without the sandbox[\s\S]*log: doubled 42[\s\S]*"doubled": 42/,
    );
  });

  test('test a case once a debugger is attached', async () => {
    const { attached, ended, printed } = await startInspected('reactor test --inspect-brk 0');
    expect((await attached.paused()).at).toBe('charge.ts:6');
    await attached.resume();
    expect(await ended).toEqual([0, null]);
    expect(printed()).toContain('"passed": 1');
  });

  test('wait for code that is paused for longer than an answer may take', async () => {
    const faster =
      'AbortSignal.timeout = ((real) => (ms) => real.call(AbortSignal, ms / 20))(AbortSignal.timeout);';
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(faster)}`;
    const command = 'reactor run --inspect-brk 0 reactors/charge.ts --arg amount=21';
    const { attached, ended } = await startInspected(command, { NODE_OPTIONS });
    await attached.paused();
    // A 20th of the minute that a client waits for an answer has passed by then.
    await sleep(4_000);
    await attached.resume();
    expect(await ended).toEqual([0, null]);
  });

  test('go on when the debugger leaves while the code is paused', async () => {
    const { attached, ended, printed } = await startInspected('reactor test --inspect-brk 0');
    await attached.paused();
    attached.close();
    expect(await ended).toEqual([0, null]);
    expect(printed()).toContain('"passed": 1');
  });

  test('keep one debugger for all cases of code that cannot be loaded', async () => {
    const cases = ['one', 'another'].map((name) => ({ name, args: {} }));
    const cwd = await projectDir({
      'reactors/charge.ts': "throw new Error('no');\n",
      'reactors/charge.test.json': JSON.stringify({ cases }),
    });
    const { code, stderr } = await tokenctl('reactor test --inspect 0 reactors/charge.ts', { cwd });
    expect([code, stderr.match(/Debugger listening/g)]).toEqual([1, ['Debugger listening']]);
  });

  test('end with Ctrl-C while they wait for a debugger, and while the code is paused', async () => {
    const cwd = await projectDir(FILES);
    const waiting = startTokenctl('reactor run --inspect-brk 0 reactors/charge.ts', { cwd });
    await waiting.waitFor(LISTENING);
    expect(await waiting.end()).toBe(130);
    const left = startTokenctl('reactor run --inspect-brk 0 reactors/charge.ts', { cwd });
    await left.waitFor(LISTENING);
    // Nothing says that a thread waits. One that does holds back the end, which one that is about to does not.
    await sleep(1_500);
    expect(await left.end()).toBe(130);
    const { attached, end } = await startInspected('reactor run --inspect-brk 0 reactors/charge.ts');
    await attached.paused();
    expect(await end()).toBe(130);
  });
});

test.each([
  ['reactor run fail.ts --inspect 0.0.0.0:9229', /--inspect must be a port, or a host of this machine/],
  ['reactor run fail.ts --inspect 127.999.0.1:9229', /--inspect must be a port, or a host of this machine/],
  ['reactor test --inspect-brk 127.0.0.1:70000', /--inspect-brk must be a port/],
  ['emulator start --inspect', /--inspect needs --reactor-runtime node/],
])('%s is wrong usage', async (command, detail) => {
  const { code, error } = await tokenctl(command, { cwd: await projectDir({}) });
  expect({ code, detail: error?.detail }).toEqual({ code: 2, detail: expect.stringMatching(detail) });
});

test('emulator start --inspect keeps a debugger attached to one deployed version after another', async () => {
  const cwd = await projectDir(FILES);
  const emulator = await startEmulatorProcess('--memory --reactor-runtime node --inspect 127.0.0.1:0', {
    cwd,
  });
  await emulator.waitFor(LISTENING);
  const attached = await Debugger.attach(emulator.printed());
  await attached.stopInNewCode();
  const step = async (expected: number) => {
    await tokenctl('reactor deploy', { cwd });
    const reaction = tokenctl('reactor react charge --arg amount=4', { cwd });
    await attached.paused();
    await attached.setBreakpoint('charge.ts', 8);
    await attached.resume();
    const { at, frame } = await attached.paused();
    expect([at, await attached.evaluate(frame, 'doubled')]).toEqual(['charge.ts:8', expected]);
    await attached.resume();
    expect((await reaction).json.raw).toEqual({ doubled: expected });
  };
  await step(8);
  const double = join(cwd, 'reactors/double.ts');
  await writeFile(double, (await readFile(double, 'utf8')).replace('* 2', '* 2 + 1'));
  await step(9);
  expect(await emulator.end()).toBe(0);
});
