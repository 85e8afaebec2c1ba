import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  cleanEnvironment,
  EXECUTABLE,
  endProcessGroup,
  projectDir,
  startEmulatorProcess,
  tokenctl,
} from '../../support/executable.js';
import { startStub } from '../../support/http-server.js';
import { width } from '../../support/width.js';

/** How many times as fast time runs for the limits of an executable that ends. */
const SPEED = 5;

/** The NODE_OPTIONS that run a module before the executable. */
const preload = (code: string): string => `--import data:text/javascript,${encodeURIComponent(code)}`;

/** From SIGTERM on, time runs faster for what the executable begins. */
const fasterBy = (speed: number) =>
  preload(`
    import { isMainThread } from 'node:worker_threads';
    const real = globalThis.setTimeout;
    let speed = 1;
    if (isMainThread) process.on('SIGTERM', () => (speed = ${speed}));
    globalThis.setTimeout = (run, ms, ...rest) => real(run, ms / speed, ...rest);
  `);

/** The process halts when it ends, until it is told to go on. */
const HALTING = preload(`
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => process.kill(process.pid, 'SIGSTOP'));
`);

/** Waiting takes no time, until 50 s have been waited; then the emulator goes on and time passes as usual. */
const patientWith = (pid: number): string =>
  preload(`
    import { syncBuiltinESMExports } from 'node:module';
    import timers from 'node:timers/promises';
    const { setTimeout: sleep } = timers;
    let waited = 0;
    timers.setTimeout = (ms, ...rest) => {
      waited += ms;
      if (waited < 50_000) return sleep(0, ...rest);
      if (waited - ms < 50_000) process.kill(${pid}, 'SIGCONT');
      return sleep(ms, ...rest);
    };
    syncBuiltinESMExports();
  `);

const CODE = 'module.exports = async ({ args }) => ({ raw: { status: (await fetch(args.url)).status } })';

/** Starts an emulator with these options of Node.js. @returns its process, and how to send a request with a body */
async function startEmulator(cwd: string, NODE_OPTIONS: string, flags = '') {
  const emulator = await startEmulatorProcess(flags, { cwd, env: { NODE_OPTIONS } });
  const post = async (path: string, key: string, body: object) => {
    const headers = { 'SVC-API-KEY': key, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(emulator.base_url + path, request);
    return {
      status: response.status,
      body: (await response.json().catch(() => undefined)) as { id: string },
    };
  };
  return { ...emulator, post };
}

test('SIGTERM: `emulator start` finishes a reactor that runs for 15 s, tidies up and exits 0', async () => {
  const cwd = await projectDir({});
  const stub = await startStub({ delayMs: 15_000 / SPEED });
  const { child, ended, post, keys } = await startEmulator(cwd, fasterBy(SPEED));
  const created = await post('/reactors', keys.management, { name: 'slow', code: CODE, configuration: {} });
  const running = post(`/reactors/${created.body.id}/react`, keys.private, { args: { url: stub.url } });
  await expect.poll(() => stub.requests.length).toBe(1);
  child.kill('SIGTERM');

  expect((await running).body).toEqual({ raw: { status: 200 } });
  expect(await ended).toEqual([0, null]);
  const state = JSON.parse(await readFile(join(cwd, '.tokenctl', 'state.json'), 'utf8'));
  expect(state).toMatchObject({ keys });
  expect(state).not.toHaveProperty('pid');
  expect(state).not.toHaveProperty('base_url');
});

test('`emulator stop` waits for an end that takes 50 s', async () => {
  const cwd = await projectDir({});
  const { ended, pid, base_url } = await startEmulator(cwd, HALTING);
  const ran = await tokenctl('emulator stop', { cwd, env: { NODE_OPTIONS: patientWith(pid) } });
  expect(ran).toEqual({ code: 0, stdout: '', stderr: `Stopped the emulator at ${base_url}.\n` });
  expect(await ended).toEqual([0, null]);
});

/** Many minutes in one native call, which nothing can stop. The file is written just before it. */
const STUCK = `module.exports = async ({ args }) => {
  const { pbkdf2Sync } = require('crypto');
  require('fs').writeFileSync(args.file, '');
  pbkdf2Sync('a', 'b', 2e9, 64, 'sha512');
}`;

/** Processor time of a process in hundredths of a second. Only Linux tells it without another program. */
async function processorTime(pid: number | undefined): Promise<number> {
  if (process.platform !== 'linux') return Date.now() / 10;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // Behind the name: utime and stime are the 14th and 15th field; proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Resolves when a process has worked for a second, which only the native call does. */
async function waitForWork(pid: number | undefined): Promise<void> {
  const start = await processorTime(pid);
  await expect.poll(async () => (await processorTime(pid)) - start).toBeGreaterThan(100);
}

test('SIGTERM: the process ends although a reactor is in a native call, after storing its data', async () => {
  const cwd = await projectDir({});
  const file = join(cwd, 'running');
  const { child, ended, post, keys } = await startEmulator(
    cwd,
    fasterBy(10 * SPEED),
    '--reactor-runtime node',
  );
  const created = await post('/reactors', keys.management, { name: 'stuck', code: STUCK, configuration: {} });
  const body = { args: { file }, callback_url: 'http://127.0.0.1:9/' };
  expect((await post(`/reactors/${created.body.id}/react`, keys.private, body)).status).toBe(202);
  await expect.poll(() => existsSync(file)).toBe(true);
  await waitForWork(child.pid);
  child.kill('SIGTERM');

  expect(await ended).toEqual([null, 'SIGKILL']);
  const state = JSON.parse(await readFile(join(cwd, '.tokenctl', 'state.json'), 'utf8'));
  expect(state).not.toHaveProperty('pid');
});

/** Creates tokens until something ends it. */
const CREATING = `
const { TOKENCTL_BASE_URL: url, TOKENCTL_PRIVATE_KEY: key } = process.env;
const headers = { 'SVC-API-KEY': key, 'content-type': 'application/json' };
for (let data = 1; ; data += 1) {
  await fetch(url + '/tokens', { method: 'POST', headers, body: JSON.stringify({ type: 'token', data }) });
  console.log('created', data);
}`;

/** As `concurrently` does: runs commands of a shell at the same time, and passes on each signal that they also get by themselves. */
const TOGETHER = `
import { spawn, spawnSync } from 'node:child_process';
const children = process.argv.slice(2).map((command) => spawn(command, { shell: true, stdio: 'inherit' }));
process.on('SIGINT', () => children.forEach((child) => child.kill('SIGINT')));
const ends = children.map((child) => new Promise((resolve) => child.on('close', (code) => resolve(code ?? 130))));
process.exitCode = Math.max(...(await Promise.all(ends)));`;

test.runIf(width(false, true))(
  'five SIGINTs in 100 ms to `npm run`, its commands and `emulator exec` leave no process and no damaged data',
  async () => {
    const exec = `'${process.execPath}' '${EXECUTABLE}' emulator exec --no-rate-limit --data-dir data -- node create.mjs`;
    const cwd = await projectDir({
      'create.mjs': CREATING,
      'together.mjs': TOGETHER,
      'package.json': JSON.stringify({ scripts: { dev: `node together.mjs "${exec}" "sleep 600"` } }),
    });
    const options = { cwd, env: cleanEnvironment(cwd), detached: true };
    const npm = spawn('npm', ['run', 'dev'], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    const group = -(npm.pid ?? 0);
    onTestFinished(() => endProcessGroup(-group));
    let printed = '';
    npm.stdout.on('data', (text) => {
      printed += text;
    });
    await expect.poll(() => printed).toContain('created 3\n');
    const ended = once(npm, 'close');
    for (let count = 0; count < 5; count += 1) {
      process.kill(group, 'SIGINT');
      await sleep(20);
    }
    const [code, signal] = await ended;
    expect([code, signal]).toContain(code === null ? 'SIGINT' : 130);
    // The last of them may end after npm.
    await expect.poll(() => spawnSync('kill', ['-0', '--', String(group)]).status).not.toBe(0);
    const created = [...printed.matchAll(/^created/gm)].length;
    const count = [
      process.execPath,
      EXECUTABLE,
      'usage',
      '--jq',
      '.token_report.metrics_by_type.token.count',
    ];
    const ran = await tokenctl(['emulator', 'exec', '--data-dir', 'data', '--', ...count], { cwd });
    expect([ran.code, Number(ran.stdout) >= created], ran.stderr).toEqual([0, true]);
  },
);
