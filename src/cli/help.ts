import { type Command, Help } from 'commander';
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

export const GLOBAL_OPTIONS = 'Global options, such as --output, --profile and --jq: tokenctl help globals';

/** Joins the parts of a help text: what commander makes of a command, and what its own format lacks. */
function join(command: Command, helper: Help, parts: readonly string[]): string {
  const [text, ...more] = [Help.prototype.formatHelp.call(helper, command, helper), ...parts];
  return `${[text?.trimEnd(), ...more].join('\n\n')}\n`;
}

const columnsOf = ({ helpWidth = 80 }: Help): number => helpWidth;

/** Formats examples under a heading. The lines of a purpose are comments, so that all of it can be copied. */
function formatExamples(heading: string, examples: Examples, helper: Help): string[] {
  const purposeLines = (purpose: string) =>
    `  # ${helper.boxWrap(purpose, columnsOf(helper) - '  # '.length).replaceAll('\n', '\n  # ')}`;
  const blocks = Object.entries(examples).map(
    ([purpose, command]) => `${purposeLines(purpose)}\n  ${command}`,
  );
  return blocks.length === 0 ? [] : [`${heading}\n${blocks.join('\n\n')}`];
}

export const formatProgramHelp = (program: Command, helper: Help): string =>
  join(program, helper, [
    ...formatExamples('First steps:', FIRST_STEPS, helper),
    helper.boxWrap([MORE_STEPS, GLOBAL_OPTIONS].join('\n'), columnsOf(helper)),
  ]);

export function formatGlobalOptions(program: Command, helper: Help): string {
  const width = helper.padWidth(program, helper);
  const lines = helper
    .visibleOptions(program)
    .map((option) =>
      helper.formatItem(helper.optionTerm(option), width, helper.optionDescription(option), helper),
    );
  return `${['Global options:', ...lines].join('\n')}\n`;
}

/** Formats the help text of a command, or of a noun without a row: what it does, arguments, flags, examples, permissions. */
export function formatHelp(command: Command, helper: Help, row?: CommandRow): string {
  const permissions = row?.permissions() ?? [];
  return join(command, helper, [
    ...formatExamples('Examples:', row?.examples ?? {}, helper),
    ...(permissions.length > 0 ? [['Permissions:', ...permissions].join('\n  ')] : []),
    helper.boxWrap(GLOBAL_OPTIONS, columnsOf(helper)),
  ]);
}
