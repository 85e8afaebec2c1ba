import { expect, test } from 'vitest';
import { normalizeJsonFlag } from '../../src/cli/json-flag.js';

const normalize = (line: string): string => normalizeJsonFlag(line.split(' ')).join(' ');

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
