import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasReference, resolveReferences } from '../../../src/cli/manifest/references.js';
import { projectDir } from '../../support/executable.js';

const ENV = { KEY: 'a $& value', EMPTY: '' };

const reference = (scheme: string, argument: string): string => `\${${scheme}:${argument}}`;
const key = reference('env', 'KEY');

async function resolve(value: string, more: { allowCommand?: boolean; files?: Record<string, string> } = {}) {
  const { allowCommand = false, files = {} } = more;
  const directory = await projectDir(files);
  const resolved = await resolveReferences({ X: value }, 'charge', { env: ENV, directory, allowCommand });
  return resolved.X;
}

describe('references', () => {
  test.each([
    ['a variable', key, 'a $& value'],
    ['an empty variable', reference('env', 'EMPTY'), ''],
    ['several within text', `Bearer ${key}/${key}.`, 'Bearer a $& value/a $& value.'],
    ['an escaped one', `$${key}`, key],
    ['an escaped escape', `$$${key}`, `$${key}`],
    ['another scheme', reference('sops', 'KEY'), reference('sops', 'KEY')],
    ['no reference', 'costs $5 {a}', 'costs $5 {a}'],
  ])('%s', async (_what, value, expected) => {
    expect(await resolve(value)).toBe(expected);
  });

  test.each(['env', 'file', 'command'])('%s without a name is an error that says so', async (scheme) => {
    await expect(resolve(reference(scheme, ' '))).rejects.toMatchObject({
      failure: { detail: `configuration.X of charge has a reference to nothing: ${reference(scheme, '')}.` },
    });
  });

  test('a file, without the line feed at its end', async () => {
    const files = { 'secrets/key': 'from a file\n\n', 'secrets/windows': 'from a file\r\n' };
    expect(await resolve(reference('file', 'secrets/key'), { files })).toBe('from a file\n');
    expect(await resolve(reference('file', 'secrets\\windows'), { files })).toBe('from a file');
  });

  test('a command, only if that is allowed', async () => {
    const command = reference('command', 'printf "%s\\n" printed');
    expect(await resolve(command, { allowCommand: true })).toBe('printed');
    await expect(resolve(command)).rejects.toMatchObject({
      failure: { category: 'usage', detail: 'configuration.X of charge runs a command.' },
    });
  });

  test.each([
    ['a variable that is not set', reference('env', 'NONE'), 'takes NONE from the environment'],
    ['a file that does not exist', reference('file', 'none'), 'takes the file none, which cannot be read'],
    ['a command that fails', reference('command', 'exit 3'), 'runs a command that failed (exit 3)'],
  ])('%s is an error that names the value but not its text', async (_what, value, message) => {
    const error: unknown = await resolve(`secret ${value}`, { allowCommand: true }).catch((thrown) => thrown);
    expect(String(error)).toContain(`configuration.X of charge ${message}`);
    expect(String(error)).not.toContain('secret ');
  });

  test('that cannot be resolved are reported together, and no command runs whose output would be discarded', async () => {
    const directory = await projectDir({});
    const [first, second] = [reference('env', 'FIRST'), reference('env', 'SECOND')];
    const configuration = {
      PAIR: `${first}:${second}`,
      AGAIN: first,
      SET: key,
      FILE: reference('file', 'none'),
      COMMAND: reference('command', `echo > ${join(directory, 'ran')}`),
    };
    const sources = { env: ENV, directory, allowCommand: true };
    await expect(resolveReferences(configuration, 'charge', sources)).rejects.toMatchObject({
      failure: {
        detail: '4 references of charge cannot be resolved.',
        errors: {
          'configuration.PAIR': [
            'takes FIRST from the environment, where it is not set.',
            'takes SECOND from the environment, where it is not set.',
          ],
          'configuration.AGAIN': ['takes FIRST from the environment, where it is not set.'],
          'configuration.FILE': [expect.stringContaining('takes the file none, which cannot be read')],
        },
        hint: expect.stringMatching(/^Set FIRST, SECOND \(export FIRST=…\)\. It was looked for at .*none\.$/),
      },
    });
    expect(existsSync(join(directory, 'ran'))).toBe(false);
  });

  test('have hints of which none reads like the value of a flag', async () => {
    const configuration = {
      COMMAND: reference('command', 'true'),
      NOTHING: reference('env', ''),
      VARIABLE: reference('env', 'NONE'),
    };
    const sources = { env: {}, directory: await projectDir({}), allowCommand: false };
    await expect(resolveReferences(configuration, 'charge', sources)).rejects.toMatchObject({
      failure: {
        hint: `Set NONE (export NONE=…). Write ${reference('env', '…')}. Read the command in the manifest, then allow it: --allow-command`,
      },
    });
  });

  test('are told from text', () => {
    expect([key, `a${key}`, `$${key}`, '$KEY', ''].map(hasReference)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('of a file are relative to the manifest', async () => {
    const directory = await projectDir({ 'a/key': 'inner' });
    const sources = { env: {}, directory: join(directory, 'a'), allowCommand: false };
    expect(await resolveReferences({ X: reference('file', 'key') }, 'charge', sources)).toEqual({
      X: 'inner',
    });
  });
});
