import { expect, test } from 'vitest';
import { parseEnvFile } from '../../../src/cli/lib/env-file.js';

const parse = (text: string, env: Record<string, string> = {}) => parseEnvFile(text, '.env', env);

test('an env file has values, comments, quotes, `export` and CRLF', () => {
  expect(parse('A=1\r\n# note\r\nexport B="two words"\r\nC=\'x#y\'\r\n\r\nURL=https://h/?a=b\r\n')).toEqual({
    A: '1',
    B: 'two words',
    C: 'x#y',
    URL: 'https://h/?a=b',
  });
});

test('a name alone takes its value from the environment', () => {
  expect(parse('PROCESSOR_KEY\nOTHER=1\n', { PROCESSOR_KEY: 'from outside' })).toEqual({
    PROCESSOR_KEY: 'from outside',
    OTHER: '1',
  });
});

test('a name alone that the environment does not have is an error with the name', () => {
  expect(() => parse('PROCESSOR_KEY')).toThrow('takes PROCESSOR_KEY from the environment');
});

test('a name alone that may be part of a value is an error with the line number only', () => {
  const parsePem = () => parse('A=1\nPEM=-----BEGIN\nMIIEowIBAAKCAQEA\n-----END\n');
  expect(parsePem).toThrow(/\.env, line 3 takes a value from the environment/);
  expect(parsePem).not.toThrow('MIIE');
});

test('a quoted value spans lines', () => {
  expect(parse('PEM="-----BEGIN\nMIIEow\n-----END"\nA=1\n')).toEqual({
    PEM: '-----BEGIN\nMIIEow\n-----END',
    A: '1',
  });
});

test.each([
  'A=1\n   \nB=2',
  'A=1\n  # note\nB=2',
  'A=1\n\tB=2',
  'A=1\nexport  B=2',
  'A=1\nB\t=2',
  'B=1\nA=1\nB=2',
])('blanks and comments belong to no name, and the later of two values counts: %j', (text) => {
  expect(parse(text)).toEqual({ A: '1', B: '2' });
});

test('a value of the file counts if it follows one of the environment', () => {
  expect(parse('A\nA=2', { A: '1' })).toEqual({ A: '2' });
});

test('a quote inside of a value or comment begins none', () => {
  const text = '# say ="\nA=b="c\nNAME\nB="d" # note\n';
  expect(parse(text, { NAME: 'given' })).toMatchObject({ NAME: 'given', B: 'd' });
});

test.each([
  ['a space in the name', 'A=1\n\nB C=2\n', 3],
  ['no name', 'A=1\n=2\n', 2],
  ['a name that starts with a digit', '2A=1', 1],
  ['a line of base64 after an unquoted value', 'PEM=-----BEGIN\nMIIE+secret/==\n', 2],
  ['a quote that is not closed', 'A=1\nB="two\n', 2],
])('a malformed line is an error with its number: %s', (_, text, line) => {
  expect(() => parse(text)).toThrow(`.env, line ${line} is not NAME=value.`);
});
