import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProcessEnvironment } from '../../../src/cli/config/process-environment.js';
import { readSettings } from '../../../src/cli/config/settings.js';
import { requiredKey, resolveKeys, resolveTarget, validateBaseUrl } from '../../../src/cli/config/target.js';
import type { GlobalOptions } from '../../../src/cli/flags/globals.js';
import { projectDir } from '../../support/project-dir.js';

const DEV = {
  base_url: 'https://dev.example',
  keys: { management: 'dev-management', private: 'dev-private' },
};
const PROD = { base_url: 'https://prod.example', header_prefix: 'ACME', keys: { private: 'prod-private' } };

const USER_CONFIG = JSON.stringify({ current: 'prod', profiles: { dev: DEV, prod: PROD } });

/** The state file of an emulator that runs: in this process. */
const STATE = JSON.stringify({
  base_url: 'http://127.0.0.1:8787',
  pid: process.pid,
  keys: { management: 'm', private: 'p', public: 'u' },
  data_dir: '/data',
  control_token: 'secret',
  tenants: [],
});

interface Setup {
  options?: GlobalOptions;
  env?: Record<string, string>;
  files?: Record<string, string>;
}

async function settingsOf({ options = {}, env = {}, files = {} }: Setup) {
  const cwd = await projectDir(files);
  const environment: ProcessEnvironment = {
    cwd,
    env: { TOKENCTL_CONFIG_DIR: join(cwd, 'config'), ...env },
    home: cwd,
    platform: 'linux',
    terminal: { stdin: false, stdout: false, stderr: false },
  };
  return readSettings(options, environment);
}

async function resolve(setup: Setup) {
  const settings = await settingsOf(setup);
  const target = await resolveTarget(settings);
  return { ...target, keys: await resolveKeys(settings, target) };
}

const FILES = { 'config/config.json': USER_CONFIG, '.tokenctl/state.json': STATE };

test('--base-url takes precedence over TOKENCTL_BASE_URL', async () => {
  const target = await resolve({
    options: { baseUrl: 'https://flag.example/' },
    env: { TOKENCTL_BASE_URL: 'https://env.example' },
    files: FILES,
  });
  expect(target).toMatchObject({ baseUrl: 'https://flag.example', source: '--base-url', keys: {} });
});

test('TOKENCTL_BASE_URL takes precedence over profiles', async () => {
  const target = await resolve({ env: { TOKENCTL_BASE_URL: 'https://env.example' }, files: FILES });
  expect(target).toMatchObject({ baseUrl: 'https://env.example', source: 'TOKENCTL_BASE_URL' });
});

test('a base URL gets the keys of the profile with the same base URL', async () => {
  const target = await resolve({ options: { baseUrl: 'https://dev.example' }, files: FILES });
  expect(target.keys).toEqual(DEV.keys);
});

test('a base URL gets the keys of a profile that is named with it', async () => {
  const target = await resolve({
    options: { baseUrl: 'https://other.example', profile: 'dev' },
    files: FILES,
  });
  expect(target).toMatchObject({ baseUrl: 'https://other.example', keys: DEV.keys });
});

test('--profile takes precedence over TOKENCTL_PROFILE', async () => {
  const target = await resolve({
    options: { profile: 'dev' },
    env: { TOKENCTL_PROFILE: 'prod' },
    files: FILES,
  });
  expect(target).toMatchObject({ baseUrl: 'https://dev.example', source: 'profile dev', keys: DEV.keys });
});

test('the project file takes precedence over the current profile', async () => {
  const target = await resolve({ files: { ...FILES, 'tokenctl.yaml': 'profile: dev\n' } });
  expect(target.baseUrl).toBe('https://dev.example');
});

test('the current profile takes precedence over a running emulator', async () => {
  const target = await resolve({ files: FILES });
  expect(target).toMatchObject({ baseUrl: 'https://prod.example', headerPrefix: 'ACME' });
});

test('the running emulator of the directory is the last resort', async () => {
  const target = await resolve({ files: { '.tokenctl/state.json': STATE } });
  expect(target).toMatchObject({
    baseUrl: 'http://127.0.0.1:8787',
    source: 'the emulator on /data',
    keys: { management: 'm', private: 'p', public: 'u' },
  });
});

test('an emulator whose process no longer exists is not a target', async () => {
  const state = JSON.stringify({ ...JSON.parse(STATE), pid: 2 ** 31 - 1 });
  await expect(resolve({ files: { '.tokenctl/state.json': state } })).rejects.toThrow(
    'No target service is configured.',
  );
});

test('a profile that does not exist is an error with its source', async () => {
  await expect(resolve({ env: { TOKENCTL_PROFILE: 'constructor' }, files: FILES })).rejects.toThrow(
    'The profile "constructor" does not exist (TOKENCTL_PROFILE).',
  );
});

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

test('a key file with more than one word is an error without its content', async () => {
  const setup = { options: { keyFile: 'key.txt' }, files: { ...FILES, 'key.txt': 'two keys' } };
  await expect(resolve(setup)).rejects.toThrow('--key-file key.txt must contain one key and nothing else.');
});

test('a missing key is an error that names the type of key', () => {
  expect(() => requiredKey({ management: 'm' }, 'token:read', 'profile dev')).toThrow(
    'There is no private key for profile dev; the operation needs token:read.',
  );
  expect(requiredKey({ any: 'a' }, 'token:read', 'profile dev')).toBe('a');
});

test.each(['ftp://h', 'localhost:8787', 'https://h?x=1', 'https://h#x', 'no url'])(
  'the base URL %s is not valid',
  (text) => {
    expect(() => validateBaseUrl(text, '--base-url')).toThrow('--base-url must be an http or https URL');
  },
);

test('a base URL with credentials is rejected without repeating them', () => {
  expect(() => validateBaseUrl('https://user:secret@h', '--base-url')).toThrow(
    'must not contain credentials',
  );
  expect(() => validateBaseUrl('https://user:secret@h', '--base-url')).not.toThrow('secret');
});
