import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/definitions/index.js';
import { createProgram } from '../../src/cli/program.js';
import { selectCommands } from '../../src/cli/select-commands.js';

/** What a program prints for these words, or the message of its error. */
async function outputOf(words: readonly string[], selected: boolean): Promise<string> {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const output = { writeOut: write, writeErr: write, getOutHelpWidth: () => 80, getErrHelpWidth: () => 80 };
  const act = async (row: { name: string }) => write(`runs ${row.name}`);
  const program = createProgram(act, { output, ...(selected && { words }) });
  await program.parseAsync(words, { from: 'user' }).catch(({ message }: Error) => write(message));
  return text;
}

test.each([
  ...COMMANDS.map(({ name }) => `${name} --help`),
  ...['--help', '-q --help', '--version', 'token', 'token --help', 'emulator clock', 'reactor invoke --help'],
  ...['frobnicate', 'tokn get', 'token gte', 'emulator clock st', 'tenant settings', '--jq token --help'],
  ...['-o json token list', '--json token get', 'tokenize', 'token get', 'token list', 'usage token'],
])('`tokenctl %s` prints the same as with all commands', async (line) => {
  const words = line.split(' ');
  expect(await outputOf(words, true)).toBe(await outputOf(words, false));
});

test('a command line that starts with a command needs that command only', () => {
  expect(selectCommands(['reactor', 'invoke', 'token']).map(({ row }) => row.name)).toEqual([
    'reactor react',
  ]);
});
