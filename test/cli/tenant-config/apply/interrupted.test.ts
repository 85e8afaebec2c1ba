import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { cleanEnvironment, EXECUTABLE, tokenctl } from '../../../support/executable.js';
import { projectDir } from '../../../support/project-dir.js';
import { type SharedEmulator, startSharedEmulator } from '../../../support/shared-emulator.js';

let emulator: SharedEmulator;
beforeAll(async () => {
  emulator = await startSharedEmulator();
});
afterAll(() => emulator.close());

const NAMES = Array.from({ length: 7 }, (_, index) => `reactor ${index}`);
const MANIFEST = {
  applications: ['one', 'two', 'three'].map((name) => ({
    name,
    type: 'private',
    permissions: ['token:read'],
  })),
  reactors: NAMES.map((name) => ({ name, code: 'a.js' })),
};
const OBJECTS = MANIFEST.applications.length + MANIFEST.reactors.length;

/** Forwards requests to the emulator, and calls back when a write was carried out, before its response is sent. */
async function startForwarder(onWritten: (count: number) => void): Promise<string> {
  let writes = 0;
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const { host: _, connection: __, 'content-length': ___, ...rest } = headers as Record<string, string>;
    const body = await text(request);
    const answer = await fetch(emulator.url + url, { method, headers: rest, ...(body && { body }) });
    const sent = await answer.text();
    if (method !== 'GET') onWritten(++writes);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Applies a manifest, and sends a signal when a write was carried out. */
async function interruptApply(signal: NodeJS.Signals, atWrite: number) {
  const cwd = await projectDir({
    'a.js': 'module.exports = async () => ({});',
    'tokenctl.json': JSON.stringify(MANIFEST),
  });
  const { env } = await emulator.tenant();
  let end = () => {};
  const url = await startForwarder((count) => count === atWrite && end());
  const child = spawn(process.execPath, [EXECUTABLE, 'apply', '--yes'], {
    cwd,
    env: cleanEnvironment(cwd, { ...env, TOKENCTL_BASE_URL: url }),
    stdio: 'ignore',
  });
  end = () => child.kill(signal);
  const [code] = await once(child, 'exit');
  const run = (...args: string[]) => tokenctl(args, { cwd, env });
  const recorded = async () => {
    const { services } = JSON.parse(await readFile(join(cwd, 'tokenctl.lock.json'), 'utf8'));
    return services.flatMap(({ objects }: { objects: object[] }) => objects) as {
      id: string;
      created: boolean;
      versions?: object[];
    }[];
  };
  return { cwd, code, run, recorded };
}

test('of an apply that is killed, no record is lost', { timeout: 240_000 }, async () => {
  for (let write = 1; write <= OBJECTS; write++) {
    const { cwd, run, recorded } = await interruptApply('SIGKILL', write);
    const again = await run('apply', '--yes');
    expect(again.code, again.stderr).toBe(0);
    const { objects } = JSON.parse(again.stdout) as { objects: { kind: string; id: string }[] };
    const records = await recorded();
    expect(records.map(({ id }) => id).sort(), `write ${write}`).toEqual(objects.map(({ id }) => id).sort());
    expect(records.filter(({ created }) => !created)).toEqual([]);
    expect(records.filter(({ versions }) => versions?.length === 1)).toHaveLength(NAMES.length);
    if (write !== OBJECTS) continue;
    await writeFile(join(cwd, 'tokenctl.json'), JSON.stringify({ applications: [], reactors: [] }));
    const plan = await run('plan');
    expect(plan.stderr).toContain(`${OBJECTS} objects of earlier applies are no longer declared`);
    const pruned = await run('apply', '--prune', '--yes');
    expect(JSON.parse(pruned.stdout).summary.deleted).toBe(OBJECTS);
  }
});

test('what a killed apply created is pruned by the next one, even if it is not declared any more', async () => {
  const { cwd, run } = await interruptApply('SIGKILL', 1);
  await writeFile(join(cwd, 'tokenctl.json'), JSON.stringify({ applications: [], reactors: [] }));
  const pruned = await run('apply', '--prune', '--yes');
  expect(pruned.code, pruned.stderr).toBe(0);
  expect(JSON.parse(pruned.stdout).summary.deleted).toBeGreaterThan(0);
  const { stdout } = await run('application', 'list', '--jq', '[.data[].name] | sort | join(" ")');
  expect(stdout.trim()).toBe('management private public');
});

test('an interrupt lets the request in flight end, and records what it did', async () => {
  const { code, recorded } = await interruptApply('SIGINT', 5);
  expect(code).toBe(130);
  const records = await recorded();
  expect(records.length).toBeGreaterThanOrEqual(5);
  expect(records.filter(({ id }) => id === '')).toEqual([]);
});
