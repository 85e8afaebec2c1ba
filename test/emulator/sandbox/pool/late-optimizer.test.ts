import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileOptimizedLate, workerScriptPath } from '../../../../emulator/sandbox/pool/built-files.js';
import { EXECUTABLE, runProgram } from '../../../support/executable.js';

const CODE = `module.exports = async ({ args }) => {
  let sum = 0;
  for (let i = 0; i < args.rounds; i++) sum += JSON.stringify([i]).length;
  return { raw: { sum } };
};`;

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'tokenctl-late-'));
  await writeFile(join(cwd, 'reactor.js'), CODE);
});

afterAll(() => rm(cwd, { recursive: true }));

/** Runs `tokenctl` and lets V8 print what it compiles. */
async function run(...args: string[]): Promise<string> {
  const traced = ['--trace-wasm-compilation-times', EXECUTABLE, ...args];
  const { code, stdout, stderr } = await runProgram(process.execPath, traced, { cwd });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

describe('V8 does not optimize the engine of reactors', () => {
  test('for a check that code loads', async () => {
    const printed = await run('reactor', 'plan', 'reactor.js', '--local', '--data-dir', 'data', '--quiet');
    expect(printed).not.toContain('TurboFan');
  });

  test('for one short invocation', async () => {
    const printed = await run('reactor', 'run', 'reactor.js', '--arg', 'rounds=10');
    expect(printed).toContain('"sum": 30');
    expect(printed).not.toContain('TurboFan');
  });
});

test('V8 optimizes the engine of reactors for one that runs long', async () => {
  expect(await run('reactor', 'run', 'reactor.js', '--arg', 'rounds=300000')).toContain('TurboFan');
});

describe('compiling for late optimization leaves the options of V8 as they were', () => {
  test.each([process.versions.node, '99.0.0'])('Node.js %s', async (version) => {
    const engine = await readFile(join(dirname(workerScriptPath()), 'sandbox-engine.wasm'));
    const options = cachedDataVersionTag();
    expect(await compileOptimizedLate(engine, version)).toBeInstanceOf(WebAssembly.Module);
    expect(cachedDataVersionTag()).toBe(options);
  });
});
