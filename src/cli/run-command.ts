import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { createClient } from '../client/client.js';
import type { CommandDefinitions, CommandRow, Context, LoadDefinitions } from './command.js';
import type { ProcessEnvironment } from './config/process-environment.js';
import { keyVariables, outputSettings, readSettings, type Settings } from './config/settings.js';
import { connectTo } from './connect.js';
import type { GlobalOptions } from './flags/globals.js';
import { CliError, EXIT_CODES, interruptedError, usageError } from './lib/errors.js';
import { shellQuote } from './lib/shell-quote.js';
import { explainForbidden, explainRejectedKey, toFailure } from './lib/to-failure.js';
import { USER_AGENT } from './lib/user-agent.js';
import { failureJson, failureText } from './output/failure.js';
import { createOutput, hasJsonErrors, type Output, type Streams } from './output/output.js';
import { openStdout } from './output/stdout.js';
import { loadStyle, toPrintable } from './output/style.js';
import { createPrompts } from './prompts/prompts.js';

/** Time allowed for cleaning up after Ctrl-C, in milliseconds, unless the command declares another. */
const CLEAN_UP_MS = 10_000;

const [STDIN, STDOUT, STDERR] = [0, 1, 2] as const;

// The streams themselves are opened when they are needed: goal S2.
function readProcessEnvironment(): ProcessEnvironment {
  const { env, platform } = process;
  const stdout = isatty(STDOUT);
  return {
    env,
    platform,
    cwd: process.cwd(),
    home: homedir(),
    terminal: {
      stdin: isatty(STDIN),
      stdout,
      stderr: isatty(STDERR),
      columns: (stdout && process.stdout.columns) || undefined,
    },
  };
}

/** Opens stderr when it is first written to: most commands print nothing there (goal S2). */
function openStreams({ stdout, stderr }: Settings['terminal'], globals: GlobalOptions): Streams {
  return {
    stdout: openStdout(stdout, (error) => exitOnStdoutError(error, globals)),
    stderr: {
      isTTY: stderr,
      get columns() {
        return process.stderr.columns;
      },
      write: (text) => process.stderr.write(text),
    },
  };
}

/** Aborts a signal on the first Ctrl-C. The second Ctrl-C, or a clean-up that takes too long, exits at once. */
function abortOnInterrupt(output: Output, cleanUpMs = CLEAN_UP_MS): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT_CODES.interrupted);
    controller.abort(interruptedError());
    output.notice('Stopping … (press Ctrl-C again to exit immediately)');
    setTimeout(() => process.exit(EXIT_CODES.interrupted), cleanUpMs).unref();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return controller.signal;
}

function createContext(
  settings: Settings,
  output: Output,
  signal: AbortSignal,
  loadDefinitions: LoadDefinitions,
): Context {
  const prompts = createPrompts(settings.interactive, signal);
  const client = createClient({
    connect: () => connectTo(settings, { output, prompts }),
    timeoutMs: settings.timeoutMs,
    signal,
    userAgent: USER_AGENT,
    onAttempt: ({ method, url, status, durationMs, traceId, retryInMs }) => {
      output.debug(
        `${method} ${url} ${status} ${durationMs.toFixed(0)} ms${traceId ? ` trace ${traceId}` : ''}${
          retryInMs === undefined ? '' : `, retry in ${retryInMs} ms`
        }`,
      );
      if (retryInMs !== undefined && retryInMs >= 2_000)
        output.notice(
          `${status === 429 ? 'Rate limited' : `Status ${status}`}; retrying in ${Math.ceil(retryInMs / 1000)} s …`,
        );
    },
  });
  return {
    client,
    output,
    prompts,
    settings,
    loadDefinitions,
    signal,
  };
}

/** Runs a command. The only place that turns a thrown error into output and an exit code. */
export async function runCommand(
  row: CommandRow,
  options: Readonly<Record<string, unknown>>,
  globals: GlobalOptions,
  loadDefinitions: LoadDefinitions,
): Promise<void> {
  let context: Context | undefined;
  try {
    const settings = readSettings(globals, readProcessEnvironment());
    const output = await createOutput(settings.output, openStreams(settings.terminal, globals));
    context = createContext(settings, output, abortOnInterrupt(output, row.cleanUpMs), loadDefinitions);
    const { run } = await row.load();
    // defineCommand has checked that the module takes these options.
    process.exitCode = (await run(options as never, context)) ?? 0;
    output.flush();
  } catch (error) {
    await reportFailure(context?.signal.aborted ? context.signal.reason : error, globals);
  } finally {
    await context?.client.close();
    process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
  }
}

/** Returns the flags that chose the key, for another command that is to use the same one. */
function keyFlags({ baseUrl, profile, keyFile }: GlobalOptions): string {
  const flags = { '--base-url': baseUrl, '--profile': profile, '--key-file': keyFile };
  return Object.entries(flags)
    .map(([flag, value]) => (value === undefined ? '' : ` ${flag} ${shellQuote(value)}`))
    .join('');
}

/** Prints a failure and sets the exit code. */
async function reportFailure(error: unknown, globals: GlobalOptions): Promise<void> {
  const environment = readProcessEnvironment();
  const variables = globals.keyFile === undefined ? keyVariables(environment.env) : [];
  const failure = explainForbidden(explainRejectedKey(toFailure(error), variables), keyFlags(globals));
  process.exitCode = EXIT_CODES[failure.category];
  // Does not throw, even if another setting caused the failure.
  const output = outputSettings(globals, environment);
  const text = hasJsonErrors(output, process.stderr)
    ? failureJson(failure)
    : failureText(failure, await loadStyle(output.color.stderr));
  process.stderr.write(`${toPrintable(text)}\n`);
  if (output.debug && error instanceof Error) process.stderr.write(`${toPrintable(stackFrames(error))}\n`);
}

/** Formats the stack trace without the message, which has already been printed. */
function stackFrames(error: Error): string {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');
}

function usageHint(
  message: string,
  words: readonly string[],
  { commands, summaries }: CommandDefinitions,
): string {
  if (message.includes('missing required argument') && words.includes('--json'))
    return 'The word after --json was read as its list of fields. Put --json at the end.';
  const known = new Set([...Object.keys(summaries), ...commands.map(({ name }) => name)]);
  let command = '';
  for (const word of words.filter((one) => !one.startsWith('-'))) {
    const longer = `${command} ${word}`.trim();
    if (!known.has(longer)) break;
    command = longer;
  }
  return `See: tokenctl ${command} --help`.replace('  ', ' ');
}

/** Reports a usage error found by the command line parser. */
export async function reportWrongUsage(
  message: string,
  words: readonly string[],
  globals: GlobalOptions,
  loadDefinitions: LoadDefinitions,
): Promise<void> {
  await reportFailure(
    usageError(
      message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' '),
      usageHint(message, words, await loadDefinitions()),
    ),
    globals,
  );
}

/** Exits when stdout is closed: silently if its reader has finished (`| head`), with an error otherwise (full disk). */
export async function exitOnStdoutError(
  { code }: NodeJS.ErrnoException,
  globals: GlobalOptions,
): Promise<never> {
  if (code === 'EPIPE') process.exit();
  await reportFailure(new CliError('failed', `Standard output cannot be written: ${code}.`), globals);
  process.exit();
}
