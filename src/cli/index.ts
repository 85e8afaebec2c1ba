import { fstatSync } from 'node:fs';
import type { OutputConfiguration } from 'commander';
import { type Command, CommanderError } from 'commander';
import { normalizeOptionalValues, selectCommands } from './command-line.js';
import { HELP_GROUPS, loadDefinitions, SUMMARIES } from './definitions/index.js';
import type { GlobalOptions } from './flags/globals.js';
import { openStdout } from './output/stdout.js';
import { createProgram, withGlobalOptionsHelp } from './program.js';

/** Exit code of a noun without a verb, which prints its help. */
const USAGE_EXIT_CODE = 2;

/** Handles what the command line parser throws after it printed a help text, or because the words are not valid. */
async function handleParserError(error: unknown, words: readonly string[], program: Command): Promise<void> {
  if (!(error instanceof CommanderError)) throw error;
  if (error.code === 'commander.help') process.exitCode = USAGE_EXIT_CODE;
  else if (error.exitCode !== 0) {
    const { reportWrongUsage } = await import('./report-failure.js');
    await reportWrongUsage(error.message, words, program.opts<GlobalOptions>(), loadDefinitions);
  }
}

const STDOUT = 1;
const DEFAULT_WIDTH = 80;

/** Prints help texts and the version. @param onError called when stdout is closed or cannot be written. */
function createHelpOutput(onError: (error: NodeJS.ErrnoException) => void): OutputConfiguration {
  // A pipe or a file cannot be a terminal.
  const isTTY = fstatSync(STDOUT).isCharacterDevice();
  const { write } = openStdout(isTTY, onError);
  if (isTTY) return { writeOut: write };
  return {
    writeOut: write,
    // commander would ask `process.stdout`.
    getOutHelpWidth: () => DEFAULT_WIDTH,
    // Nothing here is colored, so nothing has to be removed.
    getOutHasColors: () => true,
  };
}

async function start(): Promise<void> {
  const words = normalizeOptionalValues(process.argv.slice(2));
  const program = createProgram(
    async (row, options) => {
      const { runCommand } = await import('./run-command.js');
      await runCommand(row, options, program.opts<GlobalOptions>(), loadDefinitions);
    },
    await selectCommands(words),
    { summaries: SUMMARIES, helpGroups: HELP_GROUPS },
    createHelpOutput(async (error) => {
      const { exitOnStdoutError } = await import('./report-failure.js');
      await exitOnStdoutError(error, program.opts<GlobalOptions>());
    }),
  );
  try {
    // `help token create` is `token create --help`, also behind global options.
    const [first, ...topic] = words.includes('help') ? program.parseOptions(words).operands : [];
    if (first === 'help' && topic.join(' ') === 'globals') return withGlobalOptionsHelp(program).outputHelp();
    await program.parseAsync(first === 'help' ? [...topic, '--help'] : words, { from: 'user' });
  } catch (error) {
    await handleParserError(error, words, program);
  }
}

void start();
