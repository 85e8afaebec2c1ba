// The demo: starts the emulator on a free port with a temporary data directory, runs the steps of the story with the
// built CLI, and removes everything. With `--store postgres` there are two emulators on a PostgreSQL server of the demo's own,
// and each request goes to the other one. Exits 1 if a step does not have the expected result.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { tokenctl } from '../support/executable.js';
import { ROOT } from '../support/packed-package.js';
import { startAlone, startFleet } from './service.js';
import { Notes, STORY } from './story.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const indent = (text: string): string => text.trimEnd().replace(/^/gm, '    ');

async function tell(store: string | undefined, folder: string): Promise<void> {
  if (store !== undefined && store !== 'postgres') throw new Error(`--store must be postgres, not ${store}`);
  const service = await (store ? startFleet(folder) : startAlone(folder));
  const notes = new Notes();
  // Without any configuration of the user, so that only the demo's own emulator is used.
  const env = { TOKENCTL_CONFIG_DIR: join(folder, 'config'), NO_COLOR: '1', CI: '1', ...service.env };
  try {
    say(service.started);
    for (const step of STORY) {
      const line = notes.fill(step.command);
      say(`\n${styleText('bold', step.title)}\n${styleText('cyan', `  $ tokenctl ${line}`)}`);
      const ran = await tokenctl(line, { cwd: ROOT, env });
      const shown = [ran.stdout, ran.stderr].filter((text) => text.trim());
      if (shown.length > 0) say(indent(shown.join('')));
      notes.check(step, ran);
    }
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
