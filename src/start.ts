import { CommanderError } from 'commander';
import { settleJsonFlag } from './arguments.js';
import { createProgram } from './cli.js';
import type { GlobalOptions } from './table/globals.js';
import { TABLE } from './table/index.js';

const words = settleJsonFlag(process.argv.slice(2));
const program = createProgram(async (row, options) => {
  const { execute } = await import('./main.js');
  await execute(row, options, program.opts<GlobalOptions>(), TABLE);
}, words);

/** A noun alone prints its help like a wrong word does: what was typed does nothing. */
const WRONG_USAGE = 2;

/** A reader that has seen enough (`| head`) is no failure; a full disk is. */
function watchStandardOutput(): void {
  process.stdout.on('error', async ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit();
    const { reportLostOutput } = await import('./main.js');
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
      const { reportWrongUsage } = await import('./main.js');
      await reportWrongUsage(error.message, words, program.opts<GlobalOptions>());
    }
  }
}

void start();
