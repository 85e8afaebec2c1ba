// The demo: starts the emulator on a free port with a temporary data directory, runs the steps of the story with the
// built CLI, and removes everything. Exits 1 if a step does not have the expected result.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { jsonOf } from '../../src/contract/json.js';
import type { Printed, Step } from './step.js';
import { STORY } from './story.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const executable = join(root, 'bin/tokenctl.js');
const dataDir = await mkdtemp(join(tmpdir(), 'tokenctl-demo-'));
// Without any configuration of the user, so that only the demo's own emulator is used.
const env = {
  PATH: process.env.PATH,
  HOME: dataDir,
  TOKENCTL_CONFIG_DIR: join(dataDir, 'config'),
  TOKENCTL_DATA_DIR: dataDir,
  NO_COLOR: '1',
  CI: '1',
};

function start(args: string[]) {
  return spawn(process.execPath, [executable, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(args: string[]): Promise<Printed & { code: number }> {
  const child = start(args);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr, json: jsonOf(stdout) };
}

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const indent = (text: string): string => text.trimEnd().replace(/^/gm, '    ');

async function play(step: Step): Promise<void> {
  const args = step.command();
  say(
    `\n${styleText('bold', step.title)}\n${styleText('cyan', `  $ tokenctl ${args.map(quote).join(' ')}`)}`,
  );
  const printed = await run(args);
  const shown = [printed.stdout, printed.stderr].filter((text) => text.trim());
  if (shown.length > 0) say(indent(shown.join('')));
  if (printed.code !== (step.exitCode ?? 0))
    throw new Error(`exit code ${printed.code} instead of ${step.exitCode ?? 0}`);
  step.check(printed);
}

async function ready(emulator: ReturnType<typeof start>): Promise<{ base_url: string }> {
  emulator.stderr.pipe(process.stderr);
  for await (const line of createInterface(emulator.stdout)) return JSON.parse(line);
  throw new Error('the emulator ended before it was ready');
}

const emulator = start(['emulator', 'start', '--port', '0', '--data-dir', dataDir, '--json']);
const ended = once(emulator, 'close');
try {
  const { base_url } = await ready(emulator);
  say(
    `${styleText('bold', 'Start the emulator.')}\n${styleText('cyan', '  $ tokenctl emulator start --port 0')}\n    ready at ${base_url}`,
  );
  for (const step of STORY) await play(step);
  say(`\n${styleText('green', `All ${STORY.length} steps succeeded.`)}`);
} catch (error) {
  say(`\n${styleText('red', `The step failed: ${(error as Error).message}`)}`);
  process.exitCode = 1;
} finally {
  emulator.kill('SIGTERM');
  await ended;
  await rm(dataDir, { recursive: true, force: true });
}
