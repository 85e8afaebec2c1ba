import { fstatSync, writeSync } from 'node:fs';
import { type Command, CommanderError, type OutputConfiguration } from 'commander';
import { normalizeOptionalValues, normalizeVersion, selectCommands } from './command-line.js';
import { HEADINGS, loadDefinitions, SUMMARIES } from './definitions/index.js';
import type { GlobalOptions } from './flags/globals.js';
import { createProgram, hasCommand, withGlobalOptionsHelp } from './program.js';

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
const WIDTH = 80;

/** Prints help texts and the version, off a terminal without the modules of `process.stdout`. Goal S1: `--help` 1.42 → 1.32. */
function createHelpOutput(onError: (error: NodeJS.ErrnoException) => void): OutputConfiguration {
  // A pipe or a file cannot be a terminal.
  if (fstatSync(STDOUT).isCharacterDevice()) {
    process.stdout.on('error', onError);
    return {};
  }
  return {
    writeOut: (text) => {
      try {
        let rest = Buffer.from(text);
        while (rest.length > 0) rest = rest.subarray(writeSync(STDOUT, rest));
      } catch (error) {
        onError(error as NodeJS.ErrnoException);
      }
    },
    // commander would ask `process.stdout`.
    getOutHelpWidth: () => WIDTH,
    // Nothing here is colored, so nothing has to be removed.
    getOutHasColors: () => true,
  };
}

async function start(): Promise<void> {
  const words = normalizeOptionalValues(normalizeVersion(process.argv.slice(2)));
  const program = createProgram(
    async (row, options) => {
      const { runCommand } = await import('./run-command.js');
      await runCommand(row, options, program.opts<GlobalOptions>(), loadDefinitions);
    },
    await selectCommands(words),
    { summaries: SUMMARIES, headings: HEADINGS },
    createHelpOutput(async (error) => {
      const { exitOnStdoutError } = await import('./report-failure.js');
      await exitOnStdoutError(error, program.opts<GlobalOptions>());
    }),
  );
  try {
    // `help token create` is `token create --help`, also behind global options.
    const [first, ...topic] = words.includes('help') ? program.parseOptions(words).operands : [];
    if (first === 'help' && topic.join(' ') === 'globals') return withGlobalOptionsHelp(program).outputHelp();
    const asked = hasCommand(topic, program) ? [...topic, '--help'] : topic;
    await program.parseAsync(first === 'help' ? asked : words, { from: 'user' });
  } catch (error) {
    await handleParserError(error, words, program);
  }
}

void start();
