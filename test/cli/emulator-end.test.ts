import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { cleanEnvironment, EXECUTABLE } from '../support/executable.js';
import { projectDir } from '../support/project-dir.js';
import { startStub } from '../support/stub.js';

/** For the executable's own limits time runs so many times as fast. */
const SPEED = 5;

const FASTER = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from 'node:worker_threads';
  const real = globalThis.setTimeout;
  if (isMainThread) globalThis.setTimeout = (run, ms, ...rest) => real(run, ms / ${SPEED}, ...rest);
`)}`;

const CODE = 'module.exports = async ({ args }) => ({ raw: { status: (await fetch(args.url)).status } })';

test('SIGTERM: `emulator start` finishes a reactor that runs for 15 s, tidies up and exits 0', async () => {
  const cwd = await projectDir({});
  const stub = await startStub({ delayMs: 15_000 / SPEED });
  onTestFinished(() => stub.close());
  const env = cleanEnvironment(cwd, { NODE_OPTIONS: `--import ${FASTER}` });
  const child = spawn(process.execPath, [EXECUTABLE, 'emulator', 'start', '--port', '0', '--json'], {
    cwd,
    env,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const [line] = await once(createInterface(child.stdout), 'line');
  const { base_url, keys } = JSON.parse(line);

  const post = async (path: string, key: string, body: object) => {
    const headers = { 'SVC-API-KEY': key, 'content-type': 'application/json' };
    const response = await fetch(base_url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };
  const reactor = { name: 'slow', code: CODE, configuration: {} };
  const { id } = (await post('/reactors', keys.management, reactor)) as { id: string };
  const running = post(`/reactors/${id}/react`, keys.private, { args: { url: stub.url } });
  await expect.poll(() => stub.requests.length, { timeout: 10_000 }).toBe(1);
  child.kill('SIGTERM');

  expect(await running).toEqual({ raw: { status: 200 } });
  expect(await ended).toEqual([0, null]);
  const state = JSON.parse(await readFile(join(cwd, '.tokenctl', 'state.json'), 'utf8'));
  expect(state).toMatchObject({ keys });
  expect(state).not.toHaveProperty('pid');
  expect(state).not.toHaveProperty('base_url');
});
