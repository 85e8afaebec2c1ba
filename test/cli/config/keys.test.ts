import { expect, test } from 'vitest';
import { requiredKey } from '../../../src/cli/config/keys.js';
import { FILES, resolve } from '../../support/target.js';

test('TOKENCTL_API_KEY replaces all keys of the target', async () => {
  const target = await resolve({ env: { TOKENCTL_API_KEY: 'one' }, files: FILES });
  expect(target.keys).toEqual({ any: 'one' });
});

test('TOKENCTL_PRIVATE_KEY replaces only the private key of the target', async () => {
  const target = await resolve({
    options: { profile: 'dev' },
    env: { TOKENCTL_PRIVATE_KEY: 'other' },
    files: FILES,
  });
  expect(target.keys).toEqual({ management: 'dev-management', private: 'other' });
});

test('--key-file takes precedence over the environment', async () => {
  const target = await resolve({
    options: { keyFile: 'key.txt' },
    env: { TOKENCTL_API_KEY: 'one' },
    files: { ...FILES, 'key.txt': 'from-file\n' },
  });
  expect(target.keys).toEqual({ any: 'from-file' });
});

test('--key-file is used for an address that only the project file names, as the flag asks for it', async () => {
  const files = {
    ...FILES,
    'tokenctl.yaml': 'base_url: https://project.example\n',
    'key.txt': 'from-file\n',
  };
  const target = await resolve({ options: { keyFile: 'key.txt' }, env: { TOKENCTL_API_KEY: 'one' }, files });
  expect([target.baseUrl, target.keys]).toEqual(['https://project.example', { any: 'from-file' }]);
});

test('a key file with more than one word is an error without its content', async () => {
  const setup = { options: { keyFile: 'key.txt' }, files: { ...FILES, 'key.txt': 'two keys' } };
  await expect(resolve(setup)).rejects.toThrow('--key-file key.txt must contain one key and nothing else.');
});

test('a missing key is an error that names the type of key', () => {
  expect(() => requiredKey({ management: 'm' }, 'token:read', { source: 'profile dev' })).toThrow(
    'There is no private key for profile dev; the operation needs token:read.',
  );
  expect(requiredKey({ any: 'a' }, 'token:read', { source: 'profile dev' })).toBe('a');
});

test('a missing key that was withheld is explained', () => {
  const target = { source: 'tokenctl.yaml', withheld: true };
  expect(() => requiredKey({}, 'token:read', target)).toThrowError(
    expect.objectContaining({
      failure: expect.objectContaining({ hint: expect.stringContaining('only the project file names') }),
    }),
  );
});
