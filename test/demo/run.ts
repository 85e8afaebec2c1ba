// The demo: starts the emulator on a free port with a temporary data directory, runs the steps of the story with the
// built CLI, and removes everything. With `--store postgres` there are two emulators on a PostgreSQL server of the demo's own,
// and each request goes to the other one. Exits 1 if a step does not have the expected result.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { type Environment, runCli } from './processes.js';
import { startAlone, startFleet } from './service.js';
import type { Step } from './step.js';
import { STORY } from './story.js';

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const indent = (text: string): string => text.trimEnd().replace(/^/gm, '    ');

async function play(step: Step, env: Environment): Promise<void> {
  const args = step.command();
  say(
    `\n${styleText('bold', step.title)}\n${styleText('cyan', `  $ tokenctl ${args.map(quote).join(' ')}`)}`,
  );
  const printed = await runCli(args, env);
  const shown = [printed.stdout, printed.stderr].filter((text) => text.trim());
  if (shown.length > 0) say(indent(shown.join('')));
  if (printed.code !== (step.exitCode ?? 0))
    throw new Error(`exit code ${printed.code} instead of ${step.exitCode ?? 0}`);
  step.check(printed);
}

async function tell(store: string | undefined, folder: string): Promise<void> {
  // Without any configuration of the user, so that only the demo's own emulator is used.
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TOKENCTL_CONFIG_DIR: join(folder, 'config'),
    NO_COLOR: '1',
    CI: '1',
  };
  if (store !== undefined && store !== 'postgres') throw new Error(`--store must be postgres, not ${store}`);
  const service = await (store ? startFleet(env, folder) : startAlone(env, folder));
  try {
    say(service.started);
    for (const step of STORY) await play(step, service.env);
    say(`\n${styleText('green', `All ${STORY.length} steps succeeded.`)} ${service.summarize()}`.trimEnd());
  } finally {
    await service.close();
  }
}

const { store } = parseArgs({ options: { store: { type: 'string' } } }).values;
const folder = await mkdtemp(join(tmpdir(), 'tokenctl-demo-'));
try {
  await tell(store, folder);
} catch (error) {
  say(`\n${styleText('red', `The demo failed: ${(error as Error).message}`)}`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
