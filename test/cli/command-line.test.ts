import { expect, test } from 'vitest';
import { normalizeOptionalValues, selectCommands } from '../../src/cli/command-line.js';
import { FIRST_WORDS, HEADINGS, loadDefinitions, SUMMARIES } from '../../src/cli/definitions/index.js';
import { createProgram, type SelectedCommand } from '../../src/cli/program.js';

const { commands: COMMANDS } = await loadDefinitions();

/** What a program prints for these words, or the message of its error. */
async function outputOf(words: readonly string[], commands: readonly SelectedCommand[]): Promise<string> {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const output = { writeOut: write, writeErr: write, getOutHelpWidth: () => 80, getErrHelpWidth: () => 80 };
  const act = async (row: { name: string }) => write(`runs ${row.name}`);
  const program = createProgram(act, commands, { summaries: SUMMARIES, headings: HEADINGS }, output);
  await program.parseAsync(words, { from: 'user' }).catch(({ message }: Error) => write(message));
  return text;
}

/** All commands in the order of the help text. */
const ALL = FIRST_WORDS.flatMap((word) => COMMANDS.filter(({ name }) => name.split(' ')[0] === word));

test.each([
  ...COMMANDS.map(({ name }) => `${name} --help`),
  ...['--help', '-q --help', '--version', 'token', 'token --help', 'emulator clock', 'reactor invoke --help'],
  ...['frobnicate', 'tokn get', 'token gte', 'emulator clock st', 'tenant settings', '--jq token --help'],
  ...['-o json token list', '--json token get', 'tokenize', 'token get', 'token list', 'usage token'],
])('`tokenctl %s` prints the same as with all commands', async (line) => {
  const words = line.split(' ');
  expect(await outputOf(words, await selectCommands(words))).toBe(await outputOf(words, ALL));
});

test('a command line that starts with a command needs that command only', async () => {
  expect(await selectCommands(['reactor', 'invoke', 'token'])).toEqual([
    expect.objectContaining({ name: 'reactor react' }),
  ]);
});

const normalize = (line: string): string => normalizeOptionalValues(line.split(' ')).join(' ');

test('a list of fields after the command is the value of --json', () => {
  expect(normalize('token list --json id,metadata.customer')).toBe('token list --json id,metadata.customer');
});

test.each([
  ['before a noun', '--json token get abc', '--json= token get abc'],
  ['at the end', 'token get abc --json', 'token get abc --json='],
  ['before another flag', 'token list --json --all', 'token list --json= --all'],
  ['before an id that cannot be a field', 'token get --json 3f-2', 'token get --json= 3f-2'],
])('--json %s has no value', (_, line, expected) => {
  expect(normalize(line)).toBe(expected);
});

test('--json=FIELDS and the words after -- are unchanged', () => {
  expect(normalize('token list --json=id')).toBe('token list --json=id');
  expect(normalize('emulator exec -- tool --json')).toBe('emulator exec -- tool --json');
});
