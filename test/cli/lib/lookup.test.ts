import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokenctl } from '../../support/executable.js';
import { projectDir } from '../../support/project-dir.js';
import { type SharedEmulator, startSharedEmulator } from '../../support/shared-emulator.js';

let emulator: SharedEmulator;
beforeAll(async () => {
  emulator = await startSharedEmulator();
});
afterAll(() => emulator.close());

const CODE = `module.exports = async ({ svc }) => ({ raw: svc === null });\n`;
const manifest = (reactor: object): string => JSON.stringify({ reactors: [{ code: 'a.js', ...reactor }] });

test('an application is set by name, kept if the manifest omits it and removed by null', async () => {
  const { env } = await emulator.tenant();
  const cwd = await projectDir({
    'a.js': CODE,
    'by-name/tokenctl.json': manifest({ code: '../a.js', application: 'payments' }),
    'silent/tokenctl.json': manifest({ code: '../a.js' }),
    'none/tokenctl.json': manifest({ code: '../a.js', application: null }),
    'unknown/tokenctl.json': manifest({ code: '../a.js', application: 'nobody' }),
  });
  const flags = [
    '--name',
    'payments',
    '--type',
    'private',
    '--permission',
    'token:create',
    '--quiet',
    '--jq',
    '.id',
  ];
  const { stdout: id } = await tokenctl(['application', 'create', ...flags], { cwd, env });
  const deploy = (directory: string) => tokenctl(['reactor', 'deploy'], { cwd: join(cwd, directory), env });
  const application = async () =>
    (await tokenctl(['reactor', 'list', '--jq', '.data[0].application.id'], { cwd, env })).stdout;

  expect((await deploy('by-name')).code).toBe(0);
  expect(await application()).toBe(id);
  expect(JSON.parse((await deploy('silent')).stdout).summary.unchanged).toBe(1);
  expect(JSON.parse((await deploy('none')).stdout).objects[0].changes).toEqual([
    { field: 'application', change: 'removed', before: id.trim() },
  ]);
  expect(await application()).toBe('null\n');
  const unknown = await deploy('unknown');
  expect([unknown.code, unknown.stderr]).toEqual([
    5,
    expect.stringContaining('There is no application \\"nobody\\"'),
  ]);
});

test('a pipeline with a wrong key fails with its code and changes nothing', async () => {
  const { env, keys } = await emulator.tenant();
  const cwd = await projectDir({ 'a.js': CODE });
  const ran = await tokenctl(['reactor', 'deploy', 'a.js'], {
    cwd,
    env: { ...env, TOKENCTL_MANAGEMENT_KEY: keys.private },
  });
  expect([ran.code, JSON.parse(ran.stdout).objects[0]]).toMatchObject([
    4,
    { status: 'failed', remote: 'untouched' },
  ]);
});

test('the placeholder of a masked value never overwrites the value', async () => {
  const { env } = await emulator.tenant();
  const cwd = await projectDir({
    'a.js': CODE,
    'tokenctl.json': manifest({ configuration: { KEY: '[hidden]' } }),
  });
  const ran = await tokenctl(['reactor', 'deploy'], { cwd, env });
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringContaining('contains the placeholder [hidden] instead of a value: KEY'),
  ]);
});

test('a proxy takes its application by name, as a reactor does', async () => {
  const { env } = await emulator.tenant();
  const cwd = await projectDir({});
  const run = async (...args: string[]) => (await tokenctl(args, { cwd, env })).stdout.trim();
  const access = ['--type', 'private', '--permission', 'token:use'];
  const id = await run('application', 'create', '--name', 'payments', ...access, '--jq', '.id');
  const proxy = ['--name', 'processor', '--destination-url', 'http://127.0.0.1:9/'];
  const created = await run(
    'proxy',
    'create',
    ...proxy,
    '--application',
    'payments',
    '--jq',
    '.application.id',
  );
  expect(created).toBe(id);
});

test('of several objects with one name, the ids are listed', async () => {
  const { env } = await emulator.tenant();
  const cwd = await projectDir({ 'a.js': CODE });
  for (let count = 0; count < 2; count++)
    await tokenctl(['reactor', 'create', '--name', 'twin', '--code', '@a.js'], { cwd, env });
  const { code, stderr } = await tokenctl(['reactor', 'get', 'twin'], { cwd, env });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/2 reactors are named \\?"twin\\?": [\da-f-]{36}, /),
  ]);
});
