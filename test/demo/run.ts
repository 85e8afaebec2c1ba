// The demo: starts the emulator on a free port with a temporary data directory, runs the steps of the story with the
// built CLI, and removes everything. With `--store postgres` there are two emulators on a PostgreSQL server of the demo's own,
// and each request goes to the other one. Exits 1 if a step does not have the expected result.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { cleanEnvironment, EXECUTABLE, words } from '../support/executable.js';
import { ROOT } from '../support/packed-package.js';
import { startAlone, startFleet } from './service.js';
import { checkStep, type Shown, STORY, type Step } from './story.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const indent = (text: string): string => text.trimEnd().replace(/^/gm, '    ');

/** A command that chooses its own format. */
const isData = ({ command }: Step): boolean => / --json\b/.test(command);

/**
 * Runs a command in this terminal. Elsewhere its output and errors are printed as a terminal shows them, in the order in which they
 * are written, and returned.
 */
async function runStep(step: Step, folder: string, given: Record<string, string>): Promise<Shown> {
  const { isTTY } = process.stdout;
  const path = join(folder, 'screen');
  const screen = await open(path, 'w');
  const stdio = isTTY ? 'inherit' : screen.fd;
  const format = isTTY || isData(step) ? '' : ' --output table';
  const child = spawn(process.execPath, [EXECUTABLE, ...words(step.command + format)], {
    cwd: ROOT,
    env: cleanEnvironment(folder, { ...given, ...(isTTY && { TERM: process.env.TERM ?? '' }) }),
    stdio: ['ignore', stdio, stdio],
  });
  const [code] = await once(child, 'close');
  await screen.close();
  const shown = await readFile(path, 'utf8');
  if (!isTTY) say(indent(shown));
  return { code, shown: isTTY ? undefined : shown };
}

const NEXT = `
Next, in a terminal of your own:
  npm link                     the command \`tokenctl\`
  tokenctl emulator start      an emulator that keeps its data
  tokenctl emulator open       its dashboard
  tokenctl init                a manifest, a reactor with its test, a pipeline
  tokenctl help                all commands`;

async function tell(store: string | undefined, folder: string): Promise<void> {
  if (store !== undefined && store !== 'postgres') throw new Error(`--store must be postgres, not ${store}`);
  const service = await (store ? startFleet(folder) : startAlone(folder));
  // Without any configuration of the user, so that only the demo's own emulator is used.
  const env = { TOKENCTL_CONFIG_DIR: join(folder, 'config'), ...service.env };
  try {
    say(service.started);
    for (const step of STORY) {
      say(`\n${styleText('bold', step.title)}\n${styleText('cyan', `  $ tokenctl ${step.command}`)}`);
      checkStep(step, await runStep(step, folder, env));
    }
    say(`\n${styleText('green', `All ${STORY.length} steps succeeded.`)} ${service.summarize()}`.trimEnd());
    say(NEXT);
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
