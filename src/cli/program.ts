import { Argument, Command, InvalidArgumentError, Option, type OutputConfiguration } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { CommandRow } from './command.js';
import { NOUNS } from './definitions/index.js';
import { type Argument as ArgumentRow, type Flag, type Flags, toKebabCase } from './flags/flag.js';
import { GLOBAL_FLAGS } from './flags/globals.js';
import { formatHelp } from './help.js';
import { selectCommands } from './select-commands.js';

/** Runs a command with its parsed options. */
export type Act = (row: CommandRow, options: Readonly<Record<string, unknown>>) => Promise<void>;

function longFlag(name: string, flag: Flag): string {
  const long = `--${flag.onByDefault ? 'no-' : ''}${toKebabCase(name)}`;
  if (flag.value === undefined) return long;
  return flag.optionalValue ? `${long} [${flag.value}]` : `${long} <${flag.value}>`;
}

/** Lists flags for a help text: `-o, --output <MODE>` and its description. */
export function flagTerms(flags: Flags): { term: string; description: string }[] {
  return Object.entries(flags).flatMap(([name, flag]) => {
    const long = longFlag(name, flag);
    const positive = { term: flag.short ? `-${flag.short}, ${long}` : long, description: flag.description };
    return flag.negatable
      ? [positive, { term: `--no-${toKebabCase(name)}`, description: flag.negation ?? '' }]
      : [positive];
  });
}

/** Collects the values of a repeated flag. `previous` is undefined, or true for a flag without its optional value. */
const collect = (value: string, previous: unknown): string[] => [
  ...(Array.isArray(previous) ? previous : []),
  value,
];

function integer(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

function addFlag(command: Command, name: string, flag: Flag, group?: string): void {
  const long = longFlag(name, flag);
  const option = new Option(flag.short ? `-${flag.short}, ${long}` : long, flag.description);
  if (flag.choices) option.choices(flag.choices);
  if (flag.integer) option.argParser(integer);
  if (flag.list) option.argParser(collect);
  if (group) option.helpGroup(group);
  command.addOption(option);
  if (flag.negatable) command.addOption(new Option(`--no-${toKebabCase(name)}`, flag.negation ?? ''));
}

function addFlags(command: Command, flags: Flags, group?: string): void {
  for (const [name, flag] of Object.entries(flags)) addFlag(command, name, flag, group);
}

function commanderArgument(
  name: string,
  { optional, variadic, choices, description }: ArgumentRow,
): Argument {
  const text = variadic ? `${toKebabCase(name)}...` : toKebabCase(name);
  const argument = new Argument(optional ? `[${text}]` : `<${text}>`, description);
  return choices ? argument.choices(choices) : argument;
}

function addCommand(parent: Command, row: CommandRow, act: Act): void {
  const verb = row.name.split(' ').at(-1) ?? row.name;
  const command = parent.command(verb, { hidden: row.hidden ?? false });
  command
    .summary(row.summary)
    .description(row.details ? `${row.summary}.\n\n${row.details}` : `${row.summary}.`);
  command.configureHelp({
    showGlobalOptions: true,
    formatHelp: (self, helper) => formatHelp(self, helper, row),
  });
  if (row.aliases) command.aliases(row.aliases);
  for (const [name, argument] of Object.entries(row.arguments ?? {}))
    command.addArgument(commanderArgument(name, argument));
  addFlags(command, row.flags ?? {});
  command.action(async (...received: unknown[]) => {
    const names = Object.keys(row.arguments ?? {});
    const positional = Object.fromEntries(names.map((name, index) => [name, received[index]]));
    await act(row, { ...command.opts(), ...positional });
  });
}

export interface ProgramOptions {
  /** The words typed, which leave out commands that they do not need. Default: all commands. */
  words?: readonly string[];
  /** How to print help texts and the version. Default: with `process.stdout`. */
  output?: OutputConfiguration;
}

/** Creates the commander program of the command table. */
export function createProgram(act: Act, { words, output }: ProgramOptions = {}): Command {
  const program = new Command('tokenctl');
  program
    .description('Admin CLI for a tokenization service, with a built-in emulator of the service.')
    .version(packageJson.version)
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name(), formatHelp })
    // run-command.ts prints all failures.
    .configureOutput({ ...output, outputError: () => {} })
    .exitOverride();
  addFlags(program, GLOBAL_FLAGS);
  const nouns = new Map<string, Command>();
  for (const { row, isListed } of selectCommands(words)) {
    const path = row.name.split(' ').slice(0, -1);
    if (isListed) addListedCommand(program, nouns, row);
    else addCommand(path.length === 0 ? program : nounCommand(program, nouns, path), row, act);
  }
  return program;
}

/** Adds what the list of commands in the help text shows of a row: its noun, or its name. */
function addListedCommand(program: Command, nouns: Map<string, Command>, row: CommandRow): void {
  const [noun = '', ...rest] = row.name.split(' ');
  if (rest.length > 0) nounCommand(program, nouns, [noun]);
  else program.command(noun, { hidden: row.hidden ?? false }).summary(row.summary);
}

/** Returns the command of a noun (`emulator`, `emulator snapshot`), created for its first verb. */
function nounCommand(program: Command, nouns: Map<string, Command>, words: readonly string[]): Command {
  const name = words.join(' ');
  const known = nouns.get(name);
  if (known) return known;
  const parent = words.length === 1 ? program : nounCommand(program, nouns, words.slice(0, -1));
  const summary = NOUNS[name] ?? '';
  const command = parent
    .command(words.at(-1) ?? '')
    .summary(summary)
    .description(`${summary}.`)
    .helpCommand(false);
  nouns.set(name, command);
  return command;
}
