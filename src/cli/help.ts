import type { Command, Help } from 'commander';
import type { CommandRow, Examples } from './command.js';

/** What to do first, for the help text of the program. */
export const FIRST_STEPS: Examples = {
  'Run the service on this machine. Commands in this directory find it.': 'tokenctl emulator start',
  'Store a card there, from another terminal.':
    'tokenctl token create --type card --field number=4242424242424242',
  'Create a project with a reactor, its test and a CI workflow.': 'tokenctl init my-project',
};

const MORE_STEPS = [
  'For another service: tokenctl profile add NAME --base-url URL, then tokenctl auth login.',
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

/**
 * Formats a help text. What matters first comes first: what the command does, its own arguments and flags, examples; then
 * permissions, and the flags that every command has.
 * @param row undefined for the program and for nouns
 */
export function formatHelp(command: Command, helper: Help, row?: CommandRow): string {
  const isProgram = command.parent === null;
  const width = helper.padWidth(command, helper);
  const columns = helper.helpWidth ?? 80;
  const wrap = (text: string) => helper.boxWrap(text, columns);
  const wrapComment = (text: string) => helper.boxWrap(text, columns - '  # '.length);
  const item = (term: string, description: string) => helper.formatItem(term, width, description, helper);
  const options = (list: ReturnType<Help['visibleOptions']>) =>
    list.map((option) => item(helper.optionTerm(option), helper.optionDescription(option)));
  const ownOptions = options(helper.visibleOptions(command));
  return [
    `Usage: ${helper.commandUsage(command)}`,
    wrap(helper.commandDescription(command)),
    ...(isProgram
      ? [...sectionOf('First steps:', exampleLines(FIRST_STEPS, wrapComment)), wrap(MORE_STEPS)]
      : []),
    ...sectionOf(
      'Arguments:',
      helper
        .visibleArguments(command)
        .map((argument) => item(helper.argumentTerm(argument), helper.argumentDescription(argument))),
    ),
    ...sectionOf(
      'Commands:',
      helper
        .visibleCommands(command)
        .map((sub) => item(helper.subcommandTerm(sub), helper.subcommandDescription(sub))),
    ),
    ...sectionOf('Options:', ownOptions),
    ...(row ? sectionOf('Examples:', exampleLines(row.examples, wrapComment)) : []),
    ...(row
      ? sectionOf(
          'Permissions:',
          row.permissions().map((text) => `  ${text}`),
        )
      : []),
    ...(helper.showGlobalOptions
      ? sectionOf('Global options:', options(helper.visibleGlobalOptions(command)))
      : []),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
