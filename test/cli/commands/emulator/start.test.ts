import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import {
  EXECUTABLE,
  projectDir,
  runProgram,
  scratchDir,
  startEmulatorProcess,
  startTokenctl,
  tokenctl,
} from '../../../support/executable.js';
import { problem, startStub } from '../../../support/http-server.js';
import { ROOT } from '../../../support/packed-package.js';

const cwd = scratchDir({ file: 'x', 'newer/store.json': '{"format":99,"id":"x"}' });

beforeAll(async () => {
  await mkdir(join(cwd, 'directory'));
  await symlink('directory', join(cwd, 'link'));
});

const start = (flags: readonly string[], env: Record<string, string> = {}) =>
  tokenctl(['emulator', 'start', '--port', '0', ...flags], { cwd, env });

test.each<[flags: string[], code: number, env?: Record<string, string>]>([
  [['--nosuch'], 2],
  [['--tls-key'], 2],
  [['extra'], 2],
  [['--reactor-runtime', 'deno'], 2],
  [['--port', '99999'], 2],
  [['--tls-cert', 'file', '--tls-key', 'file'], 2],
  [['--memory'], 2, { TOKENCTL_EMULATOR_PRIVATE_KEY: 'a b' }],
  [['--encrypt', '--data-dir', 'new'], 1, { TOKENCTL_DATA_KEY: 'short' }],
  [['--encrypt', 'new/key', '--data-dir', 'new'], 1],
  [['--data-dir', 'file'], 1],
  [['--data-dir', 'link'], 1],
  [['--data-dir', 'newer'], 1],
  [['--host', '203.0.113.1'], 1],
])('a start that fails says why in a whole sentence: %j', async (flags, code, env) => {
  const ran = await start(flags, env);
  expect(ran.code, ran.stderr).toBe(code);
  const { detail } = JSON.parse(ran.stderr).error;
  expect(detail).toMatch(/^[A-Z/-].*\.$/s);
});

test.each([
  ['the data directory', '--data-dir own', /\n +data +\/.*\/own, kept for the next start\n/],
  ['memory', '--data-dir own --memory', /\n +data +in memory, lost when it stops\n/],
])('the start of an emulator says that its data is in %s', async (_where, flags, expected) => {
  const { waitFor, printed, end } = startTokenctl(`emulator start --port 0 ${flags}`, { cwd });
  await waitFor(/Ctrl-C/);
  expect(await end('SIGTERM')).toBe(0);
  expect(printed()).toMatch(expected);
});

test.each(['start --port 0', 'doctor'])('emulator %s: a full disk leaves nothing behind', async (command) => {
  await mkdir(join(cwd, 'full'), { recursive: true });
  // No file may grow: a write fails as on a full disk. doctor has nothing to do in an empty directory.
  await writeFile(join(cwd, 'full/file'), '');
  const script = `ulimit -f 0; exec "$0" "$1" emulator ${command} --data-dir full`;
  expect(await runProgram('sh', ['-c', script, process.execPath, EXECUTABLE], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The disk that holds the data is full'),
  });
  expect(await readdir(join(cwd, 'full'))).toEqual(['file']);
});

test('several origins, hosts and module aliases may follow one flag', async () => {
  const origins = ['https://shop.example', 'http://localhost:3000'];
  const flags = `--memory --allow-origin ${origins.join(' ')} --allow-net a.example b.example`;
  const aliases = '--module-alias bt-errors=svc-reactor-errors other-errors=svc-reactor-errors';
  const { base_url, end } = await startEmulatorProcess(`${flags} ${aliases}`, { cwd });
  const statuses: number[] = [];
  for (const origin of [...origins, 'https://other.example'])
    statuses.push((await fetch(`${base_url}/tokens`, { headers: { origin } })).status);
  expect(await end('SIGTERM')).toBe(0);
  expect(statuses).toEqual([401, 401, 403]);
});

test('on Windows, a command that is a script, such as npm.cmd, is run by the command processor', async () => {
  const cwd = await projectDir({
    'bin/npm.cmd': '',
    'bin/processor': '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 3\n',
  });
  await chmod(join(cwd, 'bin/processor'), 0o755);
  const module = pathToFileURL(join(ROOT, 'src/cli/commands/emulator/temporary-emulator.ts'));
  const script = `
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const { runCommand } = await import(${JSON.stringify(module)});
    const context = { signal: new AbortController().signal, settings: { cwd: ${JSON.stringify(cwd)} } };
    process.exitCode = await runCommand(['npm', 'run', 'a & b'], process.env, context);`;
  const line = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const env = { PATH: join(cwd, 'bin'), PATHEXT: '.CMD', comspec: join(cwd, 'bin/processor') };
  const { code, stdout } = await runProgram(process.execPath, line, { cwd: ROOT, env });
  expect({ code, lines: stdout.trim().split('\n') }).toEqual({
    code: 3,
    lines: ['/d', '/s', '/c', '"npm ^"run^" ^"a^ ^&^ b^""'],
  });
});

test.each([
  'emulator reset --yes',
  'emulator snapshot restore before',
  'emulator snapshot save before',
  'emulator tenant import tenant.jsonl',
  'emulator clock advance 1h',
  'emulator fault clear',
  'emulator origin allow https://shop.example',
  'emulator seed tokenctl.yaml',
  'emulator stop',
])('%s says that it exists for emulators only when a base URL names another service', async (command) => {
  const service = await startStub(problem(404, 'Not Found'));
  const cwd = await projectDir({ 'tenant.jsonl': '{}\n', 'tokenctl.yaml': 'reactors: []\n' });
  const refused = {
    code: 2,
    stderr: expect.stringContaining('This command exists for emulators only: it is not sent to'),
  };
  expect(await tokenctl(`${command} --base-url ${service.url}`, { cwd })).toMatchObject(refused);
  if (!command.endsWith('stop')) return;
  const env = { TOKENCTL_BASE_URL: service.url };
  expect(await tokenctl(command, { cwd, env })).toMatchObject(refused);
  expect(service.requests).toEqual([]);
});
