import { CommanderError } from 'commander';
import { DEFINITIONS } from './definitions/index.js';
import type { GlobalOptions } from './flags/globals.js';
import { normalizeJsonFlag } from './json-flag.js';
import { createProgram } from './program.js';

const words = normalizeJsonFlag(process.argv.slice(2));
const program = createProgram(async (row, options) => {
  const { runCommand } = await import('./run-command.js');
  await runCommand(row, options, program.opts<GlobalOptions>(), DEFINITIONS);
}, words);

/** A noun alone prints its help like a wrong word does: what was typed does nothing. */
const WRONG_USAGE = 2;

/** A reader that has seen enough (`| head`) is no failure; a full disk is. */
function watchStandardOutput(): void {
  process.stdout.on('error', async ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit();
    const { reportLostOutput } = await import('./run-command.js');
    await reportLostOutput(code, program.opts<GlobalOptions>());
    process.exit();
  });
}

async function start(): Promise<void> {
  watchStandardOutput();
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.help') process.exitCode = WRONG_USAGE;
    else if (error.exitCode !== 0) {
      const { reportWrongUsage } = await import('./run-command.js');
      await reportWrongUsage(error.message, words, program.opts<GlobalOptions>());
    }
  }
}

void start();
