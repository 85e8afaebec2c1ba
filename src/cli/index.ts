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

/** Exit code of a noun without a verb, which prints its help. */
const USAGE_EXIT_CODE = 2;

/** Exits when stdout is closed: silently if its reader has finished (`| head`), with an error otherwise (full disk). */
function handleStdoutErrors(): void {
  process.stdout.on('error', async ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit();
    const { reportLostOutput } = await import('./run-command.js');
    await reportLostOutput(code, program.opts<GlobalOptions>());
    process.exit();
  });
}

async function start(): Promise<void> {
  handleStdoutErrors();
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.help') process.exitCode = USAGE_EXIT_CODE;
    else if (error.exitCode !== 0) {
      const { reportWrongUsage } = await import('./run-command.js');
      await reportWrongUsage(error.message, words, program.opts<GlobalOptions>(), DEFINITIONS);
    }
  }
}

void start();
