import {
  Argument,
  Command,
  CommanderError,
  Help,
  InvalidArgumentError,
  Option,
  type OutputConfiguration,
} from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { CommandDefinitions, CommandRow } from './command.js';
import { type Argument as ArgumentRow, type Flag, type Flags, longFlag, toKebabCase } from './flags/flag.js';
import { GLOBAL_FLAGS } from './flags/globals.js';
import { formatGlobalOptions, formatHelp, formatProgramHelp } from './help.js';

/** A command that a process needs, or the first word of commands of which it needs the line in the list of commands only. */
export type SelectedCommand = CommandRow | string;

type Act = (row: CommandRow, options: Readonly<Record<string, unknown>>) => Promise<void>;

/** Collects the values of a repeated flag. `previous` is undefined, or true for a flag without its optional value. */
const collect = (value: string, previous: unknown): string[] => [
  ...(Array.isArray(previous) ? previous : []),
  value,
];

/** A list of commands names them without their arguments and options. */
const HELP = { subcommandTerm: (command: Command) => command.name() };

function integer({ minimum = 0, maximum = Number.POSITIVE_INFINITY }: Flag): (value: string) => number {
  const range = Number.isFinite(maximum) ? `from ${minimum} to ${maximum}` : `of ${minimum} or more`;
  return (value) => {
    const number = Number(value);
    if (!/^\d{1,15}$/.test(value) || number < minimum || number > maximum)
      throw new InvalidArgumentError(`It must be a whole number ${range}.`);
    return number;
  };
}

/** Refuses another value: the first, perhaps the service that was meant, would be lost in silence. */
const once = (name: string) => (value: string, previous: string | undefined) => {
  if (previous === undefined || value === previous) return value;
  throw new CommanderError(1, 'tokenctl.repeated', `error: --${name} was given twice, with different values`);
};

function addFlag(command: Command, name: string, flag: Flag): void {
  const long = longFlag(name, flag);
  const option = new Option(flag.short ? `-${flag.short}, ${long}` : long, flag.description);
  if (flag.choices) option.choices(flag.choices);
  if (flag.integer) option.argParser(integer(flag));
  if (flag.list) option.argParser(collect);
  if (flag.once) option.argParser(once(toKebabCase(name)));
  if (flag.variadic && command.registeredArguments.length === 0) option.variadic = true;
  command.addOption(option);
  if (flag.negatable) command.addOption(new Option(`--no-${toKebabCase(name)}`, flag.negation ?? ''));
}

function addFlags(command: Command, flags: Flags): void {
  for (const [name, flag] of Object.entries(flags)) addFlag(command, name, flag);
}

function commanderArgument(
  name: string,
  { optional, variadic, choices, description }: ArgumentRow,
): Argument {
  const text = variadic ? `${toKebabCase(name)}...` : toKebabCase(name);
  const argument = new Argument(optional ? `[${text}]` : `<${text}>`, description);
  return choices ? argument.choices(choices) : argument;
}

function addCommand(parent: Command, row: CommandRow, act: Act): Command {
  const verb = row.name.split(' ').at(-1) ?? row.name;
  const command = parent.command(verb, { hidden: row.hidden ?? false });
  command
    .summary(row.summary)
    .description(row.details ? `${row.summary}.\n\n${row.details}` : `${row.summary}.`);
  const globals = (row.globals ?? []).map(
    (name) => [longFlag(name, GLOBAL_FLAGS[name]), GLOBAL_FLAGS[name]] as const,
  );
  command.configureHelp({
    ...HELP,
    formatHelp: (self, helper) => formatHelp(self, helper, row),
    visibleOptions: (self) => [
      ...globals.map(([long, { description }]) => new Option(long, description)),
      ...Help.prototype.visibleOptions(self),
    ],
  });
  if (row.aliases) command.aliases(row.aliases);
  for (const [name, argument] of Object.entries(row.arguments ?? {}))
    command.addArgument(commanderArgument(name, argument));
  if (globals.length > 0) command.usage([...globals.map(([long]) => `[${long}]`), command.usage()].join(' '));
  addFlags(command, row.flags ?? {});
  command.action(async (...received: unknown[]) => {
    const names = Object.keys(row.arguments ?? {});
    const positional = Object.fromEntries(names.map((name, index) => [name, received[index]]));
    await act(row, { ...command.opts(), ...positional });
  });
  return command;
}

interface ProgramTexts extends Pick<CommandDefinitions, 'summaries'> {
  headings?: Readonly<Record<string, string>>;
}

export function createProgram(
  act: Act,
  commands: readonly SelectedCommand[],
  { summaries, headings = {} }: ProgramTexts,
  output: OutputConfiguration = {},
): Command {
  const program = new Command('tokenctl');
  program
    .description('Admin CLI for a tokenization service, with a built-in emulator of the service.')
    .version(packageJson.version)
    .helpCommand(false)
    .configureHelp({ ...HELP, visibleOptions: () => [], formatHelp: formatProgramHelp })
    // report-failure.ts prints all failures.
    .configureOutput({ ...output, outputError: () => {} })
    .exitOverride();
  addFlags(program, GLOBAL_FLAGS);
  const nouns = new Map<string, Command>();
  for (const command of commands) {
    if (typeof command === 'string') {
      // The list of commands in the help text needs its line only.
      const summary = summaries[command];
      program.command(command, { hidden: summary === undefined }).summary(summary ?? '');
    } else {
      const noun = nounCommand(program, nouns, command.name.split(' ').slice(0, -1), summaries);
      // A command may have commands of its own: `emulator requests`, `emulator requests verify`.
      nouns.set(command.name, addCommand(noun, command, act));
    }
  }
  for (const command of program.commands) command.helpGroup(headings[command.name()] ?? '');
  return program;
}

/** Makes the options of every command the help text of a program. */
export function withGlobalOptionsHelp(program: Command): Command {
  return program.configureHelp({ formatHelp: formatGlobalOptions });
}

export function helpOf(name: string, program: Command): string {
  const find = ({ commands }: Command, word: string) => commands.find((one) => one.name() === word);
  const command = name.split(' ').reduce((parent, word) => find(parent, word) ?? parent, program);
  return command.helpInformation();
}

/** Whether a program has a command of a name. What follows the name of one does not matter. */
export function hasCommand(words: readonly string[], { commands }: Command): boolean {
  const [word, ...rest] = words;
  if (word === undefined || commands.length === 0) return true;
  const found = commands.find((one) => [one.name(), ...one.aliases()].includes(word));
  return found !== undefined && hasCommand(rest, found);
}

/** Returns the command of a noun (`emulator`, `emulator snapshot`), created for its first verb; the program without words. */
function nounCommand(
  program: Command,
  nouns: Map<string, Command>,
  words: readonly string[],
  summaries: ProgramTexts['summaries'],
): Command {
  if (words.length === 0) return program;
  const name = words.join(' ');
  const known = nouns.get(name);
  if (known) return known;
  const parent = nounCommand(program, nouns, words.slice(0, -1), summaries);
  const summary = summaries[name] ?? '';
  const command = parent
    .command(words.at(-1) ?? '')
    .summary(summary)
    .description(`${summary}.`)
    .configureHelp({ ...HELP, formatHelp })
    .helpCommand(false);
  nouns.set(name, command);
  return command;
}
