// The steps of the demo, without the command lines, against the emulator of the environment: for tests of what the CLI prints.
import { fileURLToPath } from 'node:url';
import { tokenctl } from '../support/executable.js';
import { checkStep, STORY } from './story.js';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
for (const step of STORY) {
  const ran = await tokenctl(step.command, { cwd, env: process.env as Record<string, string> });
  // Data that is shown on purpose is a leak as soon as it is printed.
  if (!step.command.includes('--reveal')) {
    process.stdout.write(ran.stdout);
    process.stderr.write(ran.stderr);
  }
  checkStep(step, { code: ran.code, shown: ran.stdout + ran.stderr });
}
