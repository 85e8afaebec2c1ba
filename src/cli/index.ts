import { CommanderError } from 'commander';
import { DEFINITIONS } from './definitions/index.js';
import type { GlobalOptions } from './flags/globals.js';
import { createHelpOutput } from './help-output.js';
import { normalizeJsonFlag } from './json-flag.js';
import { createProgram } from './program.js';

const words = normalizeJsonFlag(process.argv.slice(2));
const program = createProgram(
  async (row, options) => {
    const { runCommand } = await import('./run-command.js');
    await runCommand(row, options, program.opts<GlobalOptions>(), DEFINITIONS);
  },
  { words, output: createHelpOutput(reportStdoutError) },
);

/** Exit code of a noun without a verb, which prints its help. */
const USAGE_EXIT_CODE = 2;

/** Reports that a help text could not be printed. */
async function reportStdoutError(error: NodeJS.ErrnoException): Promise<void> {
  const { exitOnStdoutError } = await import('./run-command.js');
  await exitOnStdoutError(error, program.opts<GlobalOptions>());
}

async function start(): Promise<void> {
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
