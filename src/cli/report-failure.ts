import { didYouMean } from '../contract/nearest.js';
import { METHODS } from '../contract/operation-row.js';
import type { CommandDefinitions, LoadDefinitions } from './command.js';
import { readProcessEnvironment } from './config/process-environment.js';
import { keyVariables, outputSettings } from './config/settings.js';
import type { FailedCommand } from './explain-failure.js';
import { type Argument, type Flags, longFlag, toKebabCase } from './flags/flag.js';
import { GLOBAL_FLAGS, type GlobalOptions } from './flags/globals.js';
import { formatPositionAnnotations } from './lib/annotations.js';
import { CliError, describeFileError, EXIT_CODES, usageError } from './lib/errors.js';
import { isGitHubActions } from './lib/github.js';
import { hideSecretsIn } from './lib/secrets.js';
import { openStderr } from './lib/stderr.js';
import { toFailure } from './lib/to-failure.js';
import { failureJson, failureText } from './output/failure.js';
import { hasJsonErrors, stderrFilter } from './output/output.js';
import { loadStyle } from './output/style.js';

/** Prints a failure and sets the exit code. @param command the one that failed; undefined before it is known */
export async function reportFailure(
  error: unknown,
  globals: GlobalOptions,
  command?: FailedCommand,
): Promise<void> {
  const environment = readProcessEnvironment();
  const variables = globals.keyFile === undefined ? keyVariables(environment.env) : [];
  // Loaded when something fails (goal S2).
  const { explainForPerson, explainRefusedKey } = await import('./explain-failure.js');
  const failure = hideSecretsIn(explainRefusedKey(toFailure(error), variables, globals));
  process.exitCode = EXIT_CODES[failure.category];
  // Does not throw, even if another setting caused the failure.
  const output = outputSettings(globals, environment);
  const stderr = openStderr();
  const isJson = hasJsonErrors(output, stderr);
  // Whoever pressed Ctrl-C knows.
  if (!isJson && failure.category === 'interrupted') return;
  const explained = command ? explainForPerson(failure, command) : failure;
  const text = isJson
    ? failureJson(failure)
    : failureText(explained, await loadStyle(output.color.stderr), stderr.columns);
  if (failure.positions && isGitHubActions(environment.env))
    for (const line of formatPositionAnnotations(failure, environment)) stderr.write(`${line}\n`);
  const filter = stderrFilter(output);
  stderr.write(`${filter(text)}\n`);
  if (output.debug && error instanceof Error) stderr.write(`${filter(stackFrames(error))}\n`);
}

function stackFrames(error: Error): string {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');
}

const isValue = (word: string | undefined): boolean => word !== undefined && !word.startsWith('-');

/** Returns what to do about a flag that is repeated for each value, but was given several: `--event a b`. */
function repetitionHint(words: readonly string[], flags: Flags): string | undefined {
  for (const [name, { list }] of Object.entries(flags)) {
    if (!list) continue;
    const long = `--${toKebabCase(name)}`;
    const hasSeveral = words.some((word, index) =>
      word === long
        ? isValue(words[index + 1]) && isValue(words[index + 2])
        : word.startsWith(`${long}=`) && isValue(words[index + 1]),
    );
    if (hasSeveral) return `Repeat ${long} for each value: ${long} … ${long} …`;
  }
  return undefined;
}

function argumentUsage([name, { choices, suggest, optional, variadic }]: [string, Argument]): string {
  const values = choices ?? (Array.isArray(suggest) ? (suggest as string[]) : undefined);
  const isShort = values !== undefined && values.length < 8;
  const text = `${isShort ? values.join('|') : toKebabCase(name)}${variadic ? '...' : ''}`;
  return optional ? `[${text}]` : `<${text}>`;
}

/** Verbs that mean the same in other tools. */
const SYNONYMS = [
  ['add', 'create', 'new'],
  ['describe', 'get', 'show', 'view'],
  ['delete', 'remove', 'rm'],
  ['edit', 'set', 'update'],
];

const isSameWord = (one: string, other: string): boolean =>
  one === other || `${one}s` === other || SYNONYMS.some((set) => set.includes(one) && set.includes(other));

/** Finds the command of words in another order, or with the verb of another tool: `create token`, `token rm`. */
function rewordedCommand(words: readonly string[], commands: CommandDefinitions['commands']) {
  return commands.find(({ name }) => {
    const parts = name.split(' ');
    const said = words.slice(0, parts.length);
    return parts.every((part) => said.some((word) => isSameWord(part, word)));
  })?.name;
}

function usageHint(
  message: string,
  words: readonly string[],
  { commands, summaries }: CommandDefinitions,
): string {
  if (message.includes('missing required argument') && words.includes('--json'))
    return 'The word after --json was read as its list of fields. Put --json at the end.';
  const known = new Set([...Object.keys(summaries), ...commands.map(({ name }) => name)]);
  const plain = words.filter((one) => !one.startsWith('-'));
  const meant = /unknown command(?!.*Did you mean)/s.test(message) && rewordedCommand(plain, commands);
  if (meant) return `Did you mean: tokenctl ${meant}`;
  let command = '';
  for (const word of plain) {
    const longer = `${command} ${word}`.trim();
    // The value of a global flag may stand in front of the command.
    if (command === '' && !known.has(longer)) continue;
    if (!known.has(longer)) break;
    command = longer;
  }
  const row = commands.find(({ name }) => name === command);
  if (message.includes("unknown option '--manifest'"))
    return 'The manifest is the tokenctl.yaml or tokenctl.json of the current directory, or the nearest above it: change the directory.';
  const hasTooMany = message.includes('too many arguments');
  const repeat = row?.flags && hasTooMany ? repetitionHint(words, row.flags) : undefined;
  if (repeat !== undefined) return repeat;
  const method = words.find((word) => METHODS.some((one) => one === word.toUpperCase()));
  if (row?.flags?.method && hasTooMany && method) return `The method is a flag: --method ${method}`;
  const { arguments: taken, globals = [] } = row ?? {};
  if (taken && (hasTooMany || message.includes('missing required argument'))) {
    const options = globals.map((name) => longFlag(name, GLOBAL_FLAGS[name]));
    return `Usage: tokenctl ${[command, ...Object.entries(taken).map(argumentUsage), ...options].join(' ')}`;
  }
  return `See: tokenctl ${command} --help`.replace('  ', ' ');
}

export async function reportWrongUsage(
  message: string,
  words: readonly string[],
  globals: GlobalOptions,
  loadDefinitions: LoadDefinitions,
): Promise<void> {
  const hint = usageHint(message, words, await loadDefinitions());
  // The parser suggests the flags of the command.
  const [, flag = ''] = /^error: unknown option '--([\w-]+)'(?!.*Did you mean)/s.exec(message) ?? [];
  const suggestion = didYouMean(flag, Object.keys(GLOBAL_FLAGS).map(toKebabCase)).replace('mean ', 'mean --');
  await reportFailure(usageError(toSentences(message) + suggestion, hint), globals);
}

function suggestChoice(_: string, value: string, choices: string): string {
  return ` ${value}: must be one of ${choices}.${didYouMean(value, choices.split(', '))}`;
}

/** Makes a sentence of each line of a message of the parser: `error: unknown command 'lst'`, `(Did you mean list?)`. */
function toSentences(message: string): string {
  const lines = message.replace(/^error: /, '').split(/\s*\n\s*/);
  const sentences = lines.map((line) => {
    const text = line
      .replace(/^\((.*)\)$/, '$1')
      .replace(/^missing required argument '(.*)'/, 'the argument <$1> is missing')
      .replace(/ for '(.*)'. Expected (\d+) arguments? but got (\d+)/, ': $1 takes $2, not $3')
      .replace(/ takes 0, not \d+/, ' takes none')
      .replace(/^option '(?:-\w, )?(--[\w-]+) [<[](.*)[\]>]' argument missing/, '$1 needs a value: $2')
      .replace(/^option '(?:-\w, )?(--[\w-]+).*?' argument '(.*)' is invalid\. It/, '$1 $2:')
      .replace(/^option '(?:-\w, )?(--[\w-]+).*?' argument '(.*)' is invalid/, '$1 $2 is not valid')
      .replace(/^command-argument value '(.*)' is invalid for argument '(.*?)'/, '<$2> $1 is not valid')
      .replace(/ (\S*) is not valid\. Allowed choices are (.*)\.$/, suggestChoice);
    return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? '' : '.');
  });
  return sentences.join(' ');
}

/** Exits when stdout is closed: silently if its reader has finished (`| head`), with an error otherwise (full disk). */
export async function exitOnStdoutError(
  { code }: NodeJS.ErrnoException,
  globals: GlobalOptions,
): Promise<never> {
  if (code === 'EPIPE') process.exit();
  const detail = `Standard output cannot be written: ${describeFileError(code)}.`;
  await reportFailure(new CliError('failed', detail), globals);
  // The command may have ended in the meantime, and with success.
  process.exit(EXIT_CODES.failed);
}
