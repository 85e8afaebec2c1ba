import type { Command, Help } from 'commander';
import type { CommandRow, Examples } from './command.js';

export const FIRST_STEPS: Examples = {
  'Run the service on this machine. Commands in this directory find it.': 'tokenctl emulator start',
  'Store a card there, from another terminal.':
    'tokenctl token create --type card --field number=4242424242424242',
  'Create a project with a reactor, its test and a CI workflow.': 'tokenctl init my-project',
};

const MORE_STEPS = [
  'Elsewhere: tokenctl profile add NAME --base-url URL, then tokenctl auth login.',
  'If something does not work: tokenctl doctor.',
].join('\n');

const sectionOf = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [[heading, ...lines].join('\n')];

/** @param wrap breaks the purpose of an example into lines; each becomes a comment, so that all of it can be copied */
const exampleLines = (examples: Examples, wrap: (text: string) => string): string[] =>
  Object.entries(examples).flatMap(([purpose, command], index) => [
    ...(index === 0 ? [] : ['']),
    ...wrap(purpose)
      .split('\n')
      .map((line) => `  # ${line}`),
    `  ${command}`,
  ]);

/** The last line of the help text of a command. */
export const GLOBAL_OPTIONS = 'Global options, such as --output, --profile and --jq: tokenctl help globals';

/** Formats items of a help text, aligned within a section. */
function itemFormat(helper: Help, width: number) {
  const item = (term: string, description: string) => helper.formatItem(term, width, description, helper);
  return {
    options: (list: ReturnType<Help['visibleOptions']>) =>
      list.map((option) => item(helper.optionTerm(option), helper.optionDescription(option))),
    arguments: (list: ReturnType<Help['visibleArguments']>) =>
      list.map((argument) => item(helper.argumentTerm(argument), helper.argumentDescription(argument))),
    commands: (list: readonly Command[]) =>
      list.map((command) => item(helper.subcommandTerm(command), helper.subcommandDescription(command))),
  };
}

export type HelpGroups = readonly (readonly [heading: string, words: readonly string[]])[];

export function formatProgramHelp(program: Command, helper: Help, helpGroups: HelpGroups): string {
  const columns = helper.helpWidth ?? 80;
  const commands = helper.visibleCommands(program);
  const { commands: lines } = itemFormat(helper, helper.longestSubcommandTermLength(program, helper));
  const groups = helpGroups.flatMap(([heading, words]) =>
    sectionOf(`${heading}:`, lines(commands.filter((command) => words.includes(command.name())))),
  );
  const wrapComment = (text: string) => helper.boxWrap(text, columns - '  # '.length);
  return join([
    `Usage: ${helper.commandUsage(program)}`,
    helper.boxWrap(helper.commandDescription(program), columns),
    ...sectionOf('First steps:', exampleLines(FIRST_STEPS, wrapComment)),
    ...groups,
    helper.boxWrap([MORE_STEPS, GLOBAL_OPTIONS].join('\n'), columns),
  ]);
}

export function formatGlobalOptions(program: Command, helper: Help): string {
  const { options } = itemFormat(helper, helper.padWidth(program, helper));
  return join(sectionOf('Global options:', options(helper.visibleOptions(program))));
}

const join = (sections: readonly string[]): string => `${sections.join('\n\n')}\n`;

/** Formats the help text of a command, or of a noun without a row: what it does, arguments, flags, examples, permissions. */
export function formatHelp(command: Command, helper: Help, row?: CommandRow): string {
  const columns = helper.helpWidth ?? 80;
  const format = itemFormat(helper, helper.padWidth(command, helper));
  const wrapComment = (text: string) => helper.boxWrap(text, columns - '  # '.length);
  return join([
    `Usage: ${helper.commandUsage(command)}`,
    helper.boxWrap(helper.commandDescription(command), columns),
    ...sectionOf('Arguments:', format.arguments(helper.visibleArguments(command))),
    ...sectionOf('Commands:', format.commands(helper.visibleCommands(command))),
    ...sectionOf('Options:', format.options(helper.visibleOptions(command))),
    ...(row ? sectionOf('Examples:', exampleLines(row.examples, wrapComment)) : []),
    ...(row
      ? sectionOf(
          'Permissions:',
          row.permissions().map((text) => `  ${text}`),
        )
      : []),
    helper.boxWrap(GLOBAL_OPTIONS, columns),
  ]);
}
