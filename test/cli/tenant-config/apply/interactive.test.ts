import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { cleanEnvironment, EXECUTABLE, tokenctl } from '../../../support/executable.js';
import { PATIENCE } from '../../../support/patience.js';
import { projectDir } from '../../../support/project-dir.js';
import { type SharedEmulator, startSharedEmulator } from '../../../support/shared-emulator.js';

let emulator: SharedEmulator;
beforeAll(async () => {
  emulator = await startSharedEmulator();
});
afterAll(() => emulator.close());

/** Starts a command that runs until it is interrupted, and collects its output. */
function start(args: string[], cwd: string, env: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, [EXECUTABLE, ...args], {
    cwd,
    env: cleanEnvironment(cwd, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed.text += text;
    });
  const interrupt = async (): Promise<number | null> => {
    const ended = once(child, 'close');
    child.kill('SIGINT');
    const [code] = (await ended) as [number | null];
    return code;
  };
  return { printed, interrupt };
}

const react = async (cwd: string, env: Record<string, string>): Promise<string> =>
  (await tokenctl(['reactor', 'react', 'live', '--jq', '.raw'], { cwd, env })).stdout.trim();

test('--watch deploys after a change of any bundled file and continues after an error', async () => {
  const { env } = await emulator.tenant();
  const cwd = await projectDir({
    'live.ts': `import { word } from './word';\nexport default async () => ({ raw: word });\n`,
    'word.ts': `export const word = 'first';\n`,
  });
  const { printed, interrupt } = start(['reactor', 'deploy', 'live.ts', '--watch', '-o', 'table'], cwd, env);
  await vi.waitFor(
    () => expect(printed.text).toMatch(/created {4}reactor live[\s\S]*Watching \d+ files/),
    PATIENCE,
  );
  await writeFile(join(cwd, 'word.ts'), 'export const word = ;\n');
  await vi.waitFor(() => expect(printed.text).toMatch(/word\.ts: 1:\d+: [\s\S]*Watching/), PATIENCE);
  expect(printed.text).not.toContain('warning: error:');
  await writeFile(join(cwd, 'word.ts'), `export const word = 'second';\n`);
  await vi.waitFor(() => expect(printed.text).toMatch(/updated {4}reactor live/), PATIENCE);
  expect(await react(cwd, env)).toBe('second');
  expect(await interrupt()).toBe(130);
});

test('--watch notices imports that were missing or not valid from the start', async () => {
  const { env } = await emulator.tenant();
  const cwd = await projectDir({
    'live.ts': `import { word } from './word';\nimport { later } from './later';\nexport default async () => ({ raw: word + later });\n`,
    'word.ts': 'export const word = ;\n',
  });
  const { printed, interrupt } = start(['reactor', 'deploy', 'live.ts', '--watch', '-o', 'table'], cwd, env);
  await vi.waitFor(() => expect(printed.text).toMatch(/word\.ts: 1:\d+: [\s\S]*Watching/), PATIENCE);
  await writeFile(join(cwd, 'word.ts'), `export const word = 'first';\n`);
  await vi.waitFor(
    () => expect(printed.text.match(/resolve ".\/later"[\s\S]*?Watching/g)).toHaveLength(2),
    PATIENCE,
  );
  await writeFile(join(cwd, 'later.ts'), `export const later = ' second';\n`);
  await vi.waitFor(() => expect(printed.text).toMatch(/created {4}reactor live/), PATIENCE);
  expect(await react(cwd, env)).toBe('first second');
  expect(await interrupt()).toBe(130);
});

test('Ctrl-C during the smoke test restores the previous code', async () => {
  const { env } = await emulator.tenant();
  const cwd = await projectDir({ 'live.js': `module.exports = async () => ({ raw: 'proven' });\n` });
  expect((await tokenctl(['reactor', 'deploy', 'live.js'], { cwd, env })).code).toBe(0);
  await writeFile(
    join(cwd, 'live.js'),
    `module.exports = async () => { await new Promise((resolve) => setTimeout(resolve, 20_000)); return { raw: 'slow' }; };\n`,
  );
  const { printed, interrupt } = start(
    ['reactor', 'deploy', 'live.js', '--smoke', '{}', '--debug', '-o', 'table'],
    cwd,
    env,
  );
  const verified = /PUT \S+\/reactors\/[\da-f-]+ 200/;
  await vi.waitFor(() => expect(printed.text).toMatch(verified), PATIENCE);
  expect(await interrupt()).toBe(130);
  expect(printed.text).toContain('the previous version was restored');
  expect(await react(cwd, env)).toBe('proven');
});
