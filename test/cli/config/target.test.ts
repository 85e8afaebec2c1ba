import { chmod, chown, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validateBaseUrl } from '../../../src/cli/config/base-url.js';
import { requiredKey, resolveKeys } from '../../../src/cli/config/keys.js';
import type { ProcessEnvironment } from '../../../src/cli/config/process-environment.js';
import { readSettings } from '../../../src/cli/config/settings.js';
import { isLocalTarget, resolveTarget } from '../../../src/cli/config/target.js';
import { openTransport } from '../../../src/cli/connect.js';
import type { GlobalOptions } from '../../../src/cli/flags/globals.js';
import { projectDir } from '../../support/executable.js';

const DEV = {
  base_url: 'https://dev.example',
  keys: { management: 'dev-management', private: 'dev-private' },
};
const PROD = {
  base_url: 'https://prod.example',
  header_prefix: 'ACME',
  keys: { private: 'prod-private' },
};

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

interface TargetSetup {
  options?: GlobalOptions;
  env?: Record<string, string>;
  files?: Record<string, string>;
}

/** Reads the settings of a command in a directory with these files. */
async function settingsOf({ options = {}, env = {}, files = {} }: TargetSetup) {
  const cwd = await projectDir(files);
  const environment: ProcessEnvironment = {
    cwd,
    env: { TOKENCTL_CONFIG_DIR: join(cwd, 'config'), ...env },
    home: cwd,
    platform: 'linux',
    terminal: { stdin: false, stdout: false, stderr: false, columns: undefined },
  };
  return readSettings(options, environment);
}

/** Resolves the target of such a command, and the keys for it. */
async function resolve(setup: TargetSetup) {
  const settings = await settingsOf(setup);
  const target = await resolveTarget(settings);
  return { ...target, keys: await resolveKeys(settings, target) };
}

/** Two profiles, and an emulator that runs. */
const FILES = { 'config/config.json': USER_CONFIG, '.tokenctl/state.json': STATE };

const ONE = { TOKENCTL_API_KEY: 'one' };
const KEY_FILE = { keyFile: 'key.txt' };
const withKey = { 'key.txt': 'from-file\n' };

test.each<[rule: string, setup: TargetSetup, keys: object, target?: object]>([
  ['the profile with the same base URL', { options: { baseUrl: 'https://dev.example' } }, DEV.keys],
  [
    'the profile that is named with a base URL',
    { options: { baseUrl: 'https://other.example', profile: 'dev' } },
    DEV.keys,
    { baseUrl: 'https://other.example' },
  ],
  [
    'the running emulator of the directory, which takes precedence over the current profile',
    {},
    { management: 'm', private: 'p', public: 'u' },
    { baseUrl: 'http://127.0.0.1:8787', source: 'the emulator on /data', name: 'emulator' },
  ],
  ['TOKENCTL_API_KEY, which replaces all others', { env: ONE }, { any: 'one' }],
  [
    'TOKENCTL_PRIVATE_KEY, which replaces that of the profile',
    { options: { profile: 'dev' }, env: { TOKENCTL_PRIVATE_KEY: 'other' } },
    { management: 'dev-management', private: 'other' },
  ],
  [
    '--key-file, which takes precedence over the environment',
    { options: KEY_FILE, env: ONE, files: withKey },
    { any: 'from-file' },
  ],
  [
    '--key-file, also for an address that only the project file names, as the flag asks for it',
    {
      options: KEY_FILE,
      env: ONE,
      files: { ...withKey, 'tokenctl.yaml': 'base_url: https://project.example\n' },
    },
    { any: 'from-file' },
    { baseUrl: 'https://project.example' },
  ],
])('the keys are those of %s', async (_rule, setup, keys, target = {}) => {
  const resolved = await resolve({ ...setup, files: { ...FILES, ...setup.files } });
  expect(resolved.keys).toEqual(keys);
  expect(resolved).toMatchObject(target);
});

test('a key file with more than one word is an error without its content', async () => {
  const setup = { options: KEY_FILE, files: { ...FILES, 'key.txt': 'two keys' } };
  await expect(resolve(setup)).rejects.toThrow('--key-file key.txt must contain one key and nothing else.');
});

test('a missing key that was withheld is explained', () => {
  const hint = expect.stringContaining('only the project file names');
  expect(() => requiredKey({}, 'token:read', { source: 'tokenctl.yaml', withheld: true })).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ hint }) }),
  );
});

describe('the order in which a target is chosen (cli.md, Target and credentials)', () => {
  const OTHER = JSON.stringify({ ...JSON.parse(STATE), base_url: 'http://127.0.0.1:9999' });
  /** Every way to choose a target, the strongest first, with the base URL that each one chooses. */
  const WAYS: [way: string, setup: TargetSetup, chosen: string][] = [
    ['--base-url', { options: { baseUrl: 'https://flag.example' } }, 'https://flag.example'],
    ['TOKENCTL_BASE_URL', { env: { TOKENCTL_BASE_URL: 'https://env.example' } }, 'https://env.example'],
    ['--profile', { options: { profile: 'dev' } }, 'https://dev.example'],
    ['TOKENCTL_PROFILE', { env: { TOKENCTL_PROFILE: 'second' } }, 'https://second.example'],
    ['--data-dir', { options: { dataDir: 'other' } }, 'http://127.0.0.1:9999'],
    ['the project file', { files: { 'tokenctl.yaml': 'profile: third\n' } }, 'https://third.example'],
    ['the emulator of this directory', { files: { '.tokenctl/state.json': STATE } }, 'http://127.0.0.1:8787'],
    ['the current profile', {}, 'https://prod.example'],
  ];
  const profiles = {
    dev: DEV,
    prod: PROD,
    second: { base_url: 'https://second.example', keys: {} },
    third: { base_url: 'https://third.example', keys: {} },
  };

  test.each(WAYS.map(([way, , chosen], index) => ({ way, chosen, index })))(
    '$way is stronger than all after it',
    async ({ index, chosen }) => {
      const given = WAYS.slice(index).map(([, setup]) => setup);
      const target = await resolve({
        options: Object.assign({}, ...given.map(({ options }) => options)),
        env: Object.assign({}, ...given.map(({ env }) => env)),
        files: {
          'config/config.json': JSON.stringify({ current: 'prod', profiles }),
          'other/state.json': OTHER,
          ...Object.assign({}, ...given.map(({ files }) => files)),
        },
      });
      expect(target.baseUrl).toBe(chosen);
    },
  );

  test('--data-dir without a running emulator is an error, not the next in line', async () => {
    await expect(resolve({ options: { dataDir: 'empty' }, files: FILES })).rejects.toThrow(
      /^No emulator is running on .*empty\.$/,
    );
  });

  test.each<[TargetSetup, boolean]>([
    [{}, true],
    [{ env: { TOKENCTL_BASE_URL: 'https://env.example' } }, false],
    [{ options: { profile: 'dev' } }, false],
  ])('--local gives way to %j only', async (setup, isLocal) => {
    const settings = await settingsOf({ ...setup, options: { local: true, ...setup.options } });
    expect(isLocalTarget(settings)).toBe(isLocal);
  });
});

const PLANTED = {
  '.tokenctl/state.json': JSON.stringify({ ...JSON.parse(STATE), base_url: 'http://192.0.2.1' }),
};

async function resolveIn(directory: string, change: (path: string) => Promise<unknown>) {
  const settings = await settingsOf({ files: { '.tokenctl/state.json': STATE, 'below/file': '' } });
  await change(join(settings.cwd, '.tokenctl/state.json'));
  const warnings: string[] = [];
  const target = resolveTarget({ ...settings, cwd: join(settings.cwd, directory) }, (text) =>
    warnings.push(text),
  );
  await target.catch(() => {});
  return { target, warnings };
}

test('the hint of a missing key names the profile, also of a service that an environment names by its URL', () => {
  const named = { source: 'base_url in tokenctl.yaml', name: 'staging' };
  expect(() => requiredKey({}, 'token:read', named)).toThrow(
    expect.objectContaining({
      failure: expect.objectContaining({ hint: expect.stringContaining('auth login --profile staging') }),
    }),
  );
});

test('commands in the directory of an emulator that has stopped do not take another service in silence', async () => {
  const stopped = { '.tokenctl/state.json': JSON.stringify({ ...JSON.parse(STATE), base_url: undefined }) };
  const warnings: string[] = [];
  const settings = await settingsOf({ files: { ...FILES, ...stopped } });
  expect(await resolveTarget(settings, (text) => warnings.push(text))).toMatchObject({ name: 'prod' });
  expect(warnings).toEqual([expect.stringMatching(/is not running; the current profile prod is used\.$/)]);
  await expect(resolveTarget(await settingsOf({ files: stopped }))).rejects.toThrow(
    /^The emulator on .* is not running\.$/,
  );
});

test.each(['.', 'below'])('a state file that others can write is ignored (%s)', async (directory) => {
  const { target, warnings } = await resolveIn(directory, (path) => chmod(path, 0o666));
  await expect(target).rejects.toThrow('No target service is configured.');
  expect(warnings).toEqual([expect.stringMatching(/state\.json is ignored: other users can write it\.$/)]);
});

test.runIf(process.getuid?.() === 0)('a state file of another user is ignored', async () => {
  const { target, warnings } = await resolveIn('below', (path) => chown(path, 65_534, 65_534));
  await expect(target).rejects.toThrow('No target service is configured.');
  expect(warnings).toEqual([expect.stringMatching(/is ignored: it belongs to another user\.$/)]);
});

test('a state file that is a link is ignored', async () => {
  const { target } = await resolveIn('.', async (path) => {
    await rename(path, `${path}.moved`);
    await symlink(`${path}.moved`, path);
  });
  await expect(target).rejects.toThrow('No target service is configured.');
});

test('a state file with the address of another machine is ignored', async () => {
  const settings = await settingsOf({ env: { TOKENCTL_API_KEY: 'one' }, files: PLANTED });
  const warnings: string[] = [];
  await expect(resolveTarget(settings, (text) => warnings.push(text))).rejects.toThrow('No target service');
  expect(warnings).toEqual([expect.stringMatching(/ignored: its address is not on this machine\.$/)]);
  const named = await settingsOf({ options: { dataDir: '.tokenctl' }, files: PLANTED });
  await expect(resolveTarget(named)).rejects.toThrow('its address is not on this machine');
});

test('a state file of --data-dir that others can write is an error', async () => {
  const settings = await settingsOf({
    options: { dataDir: '.tokenctl' },
    files: { '.tokenctl/state.json': STATE },
  });
  await chmod(join(settings.cwd, '.tokenctl/state.json'), 0o622);
  await expect(resolveTarget(settings)).rejects.toThrow(/is not trusted: other users can write it\.$/);
});

test('an address that only the project file names gets no key of the environment', async () => {
  const files = { ...FILES, 'tokenctl.yaml': 'base_url: https://project.example\n' };
  const env = { TOKENCTL_API_KEY: 'one', TOKENCTL_PRIVATE_KEY: 'two' };
  expect((await resolve({ env, files })).keys).toEqual({});
  const flag = { baseUrl: 'https://project.example' };
  expect((await resolve({ env, files, options: flag })).keys).toMatchObject({ any: 'one' });
  const known = { ...files, 'tokenctl.yaml': 'base_url: https://dev.example\n' };
  expect((await resolve({ env, files: known })).keys).toMatchObject({ any: 'one' });
});

test.each([
  ['<env:STAGING>', 'https://staging.example'],
  ['https://<var:HOST>/v1', 'https://host.example/v1'],
  ['https://other.example/<env:STAGING>', 'https://other.example/$%7Benv:STAGING%7D'],
  ['<env:TEXT>', /^The base_url of .* is TEXT of the environment, which is not an http or https URL\.$/],
  ['<env:NONE>', /takes NONE from the environment, where it is not set/],
])('the project file may name the address %s: a variable is all or nothing', async (address, expected) => {
  const base_url = address.replace(/<(.*?)>/, '$${$1}');
  const content = { base_url, variables: { HOST: 'host.example' } };
  const files = { 'tokenctl.json': JSON.stringify(content) };
  const found = resolve({ env: { STAGING: 'https://staging.example', TEXT: 'a-secret' }, files });
  if (typeof expected === 'string') expect((await found).baseUrl).toBe(expected);
  else await expect(found).rejects.toThrow(expected);
});

test.each([
  ['http://api.example.com', false],
  ['http://192.168.0.1:8787', false],
  ['http://127.0.0.1.example.com', false],
  ['http://localhost:8787', true],
  ['http://127.0.0.1:8787', true],
  ['http://[::1]:8787', true],
  ['https://api.example.com', true],
])('keys to %s: allowed without --insecure is %s', async (baseUrl, allowed) => {
  const settings = await settingsOf({});
  const open = async () => (await openTransport(baseUrl, settings)).close();
  if (allowed) await open();
  else await expect(open()).rejects.toThrow('is not encrypted');
  await (await openTransport(baseUrl, await settingsOf({ options: { insecure: true } }))).close();
});

test('an emulator whose process no longer exists is not a target', async () => {
  const state = JSON.stringify({ ...JSON.parse(STATE), pid: 2 ** 31 - 1 });
  await expect(resolve({ files: { '.tokenctl/state.json': state } })).rejects.toThrow(/is not running\.$/);
});

test('environments, addresses and variables may be in a file that the project file includes', async () => {
  const files = {
    'tokenctl.yaml': `include: [more.yaml]\nbase_url: 'https://$\{var:HOST}'\n`,
    'more.yaml':
      'variables: { HOST: here.example }\nenvironments: { live: { base_url: https://live.example } }\n',
  };
  expect((await resolve({ files })).baseUrl).toBe('https://here.example');
  const live = await resolve({ files, options: { environment: 'live' } });
  expect(live.baseUrl).toBe('https://live.example');
});

test.each(['ftp://h', 'https://h?x=1', 'https://h#x', 'no url'])('the base URL %s is not valid', (text) => {
  expect(() => validateBaseUrl(text, '--base-url')).toThrow('--base-url must be an http or https URL');
});

test.each([
  ['localhost:8787', 'http://localhost:8787'],
  ['api.example.com/v1', 'https://api.example.com'],
])('the base URL %s has no scheme, and one is suggested', (text, suggestion) => {
  expect(() => validateBaseUrl(text, '--base-url')).toThrow(
    `--base-url has no scheme. Did you mean ${suggestion}?`,
  );
});

test.each(['https://secret@h', 'https://:secret@h', 'https://user:secret@h'])(
  'the base URL %s has credentials, and is rejected without repeating them',
  (text) => {
    const validate = () => validateBaseUrl(text, '--base-url');
    expect(validate).toThrow('must not contain credentials');
    expect(validate).not.toThrow('secret');
  },
);

const terminal = { stdin: true, stdout: true, stderr: true, columns: 80 };
const settings = (env: Record<string, string>) =>
  readSettings({}, { env, cwd: '/', platform: 'linux', home: '/', terminal });

test.each(['CI', 'TF_BUILD', 'JENKINS_URL', 'AGENT', 'CLAUDECODE', 'CURSOR_AGENT', 'GEMINI_CLI'])(
  'a variable that says that nobody answers, %s, turns off prompts and nothing else',
  (variable) => {
    const attended = settings({});
    expect([attended.interactive, settings({ [variable]: '' }).interactive]).toEqual([true, true]);
    const unattended = settings({ [variable]: '1' });
    expect(unattended.interactive).toBe(false);
    expect(unattended.output).toEqual(attended.output);
  },
);
