import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXECUTABLE, startTokenctl } from '../../../support/executable.js';
import { startForwarder } from '../../../support/forwarder.js';
import { useSharedEmulator } from '../../../support/shared-emulator.js';
import { openTerminal } from '../../../support/terminal.js';
import { sampled } from '../../../support/width.js';

const emulator = useSharedEmulator();

const COUNT = 12;
/** The tenant, the key, and two lists of each kind, of which each fits into one page: before the writes, and after. */
const MAX_READS = 6;

function manifest(version: number, count = COUNT): string {
  const names = Array.from({ length: count }, (_, index) => `object ${index}`);
  return JSON.stringify({
    reactors: names.map((name) => ({ name, code: 'a.js', configuration: { VERSION: String(version) } })),
    webhooks: names.map((name) => ({ name, url: `https://a.example/${version}`, events: ['token.created'] })),
  });
}

/** A project whose commands count their requests. */
async function countingProject(onFirstWrite = async (_key: string) => {}) {
  const project = await emulator.project({
    'a.js': 'module.exports = async () => ({});',
    'tokenctl.json': manifest(1),
  });
  const { cwd, keys, write } = project;
  let writes = 0;
  const forwarder = await startForwarder(emulator.url, async () => {
    if (!forwarder.requests.at(-1)?.startsWith('GET ') && ++writes === 1) await onFirstWrite(keys.management);
    return undefined;
  });
  const env = { ...project.env, TOKENCTL_BASE_URL: forwarder.url };
  const run = async (command: string) => {
    forwarder.requests.length = 0;
    const ran = await project.run(command, { env });
    const reads = forwarder.requests.filter((request) => request.startsWith('GET ')).length;
    return Object.assign(ran, { reads, writes: forwarder.requests.length - reads });
  };
  return { cwd, env, run, declare: (text: string) => write('tokenctl.json', text) };
}

test('many objects are read by lists, and each takes one request to write', async () => {
  const { run, declare } = await countingProject();
  const expectRequests = async (line: string, summary: object, writes: number) => {
    const ran = await run(line);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.json.summary).toMatchObject(summary);
    expect(ran.writes).toBe(writes);
    expect(ran.reads).toBeLessThanOrEqual(MAX_READS);
  };
  await expectRequests('apply --yes', { created: 2 * COUNT }, 2 * COUNT);
  await expectRequests('diff', { unchanged: 2 * COUNT }, 0);
  await declare(manifest(2));
  await expectRequests('apply --yes', { updated: 2 * COUNT }, 2 * COUNT);
  await expectRequests('diff', { unchanged: 2 * COUNT }, 0);
  await declare(manifest(2, 1));
  await expectRequests('apply --yes --prune', { deleted: 2 * COUNT - 2 }, 2 * COUNT - 2);
});

test('a long apply shows its progress on a terminal', async () => {
  const { cwd, env } = await countingProject();
  const terminal = openTerminal(`'${process.execPath}' '${EXECUTABLE}' apply --yes`, cwd, env);
  await terminal.waitFor(`of ${2 * COUNT} objects`);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen()).toContain(`${2 * COUNT} created`);
});

test('what a create whose response was lost has made is not made again by a service that ignores idempotency keys', async () => {
  let lost = 0;
  const forwarder = await startForwarder(emulator.url, () =>
    forwarder.requests.at(-1) === 'POST /reactors' && ++lost === 1 ? 'lost' : undefined,
  );
  const { run } = await emulator.project({
    'a.js': 'module.exports = async () => ({});',
    'tokenctl.json': manifest(1, 1),
  });
  const env = { TOKENCTL_BASE_URL: forwarder.url };
  const { code, json, stderr } = await run('apply --yes', { env });
  expect(code, stderr).toBe(0);
  expect(json.summary).toMatchObject({ created: 2, failed: 0 });
  expect((await run('reactor list --quiet', { env })).json.data).toHaveLength(1);
  expect(lost).toBe(1);
});

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

/** Applies a manifest, and sends a signal when a write was carried out. */
async function interruptApply(signal: NodeJS.Signals, atWrite: number) {
  const { run, cwd, env, write } = await emulator.project({
    'a.js': 'module.exports = async () => ({});',
    'tokenctl.json': JSON.stringify(MANIFEST),
  });
  let writes = 0;
  const { url } = await startForwarder(emulator.url, () => undefined, {
    onForwarded: (request) => {
      if (!request.startsWith('GET ') && ++writes === atWrite) child.kill(signal);
    },
  });
  const { child, ended } = startTokenctl('apply --yes', { cwd, env: { ...env, TOKENCTL_BASE_URL: url } });
  const [code] = await ended;
  const recorded = async () => {
    const { services } = JSON.parse(await readFile(join(cwd, 'tokenctl.lock.json'), 'utf8'));
    return services.flatMap(({ objects }: { objects: object[] }) => objects) as {
      id: string;
      created: boolean;
      versions?: object[];
    }[];
  };
  return { code, run, recorded, write };
}

// Fault: apply | kill or interrupt after any write | memory
test('of an apply that is killed after any of its writes, no record is lost', async () => {
  for (const count of sampled(
    Array.from({ length: OBJECTS }, (_, index) => index + 1),
    OBJECTS - 1,
  )) {
    const { run, recorded, write } = await interruptApply('SIGKILL', count);
    const again = await run('apply --yes');
    expect(again.code, again.stderr).toBe(0);
    const { objects } = again.json as { objects: { id: string }[] };
    const records = await recorded();
    expect(records.map(({ id }) => id).sort(), `write ${count}`).toEqual(objects.map(({ id }) => id).sort());
    expect(records.filter(({ created }) => !created)).toEqual([]);
    expect(records.filter(({ versions }) => versions?.length === 1)).toHaveLength(NAMES.length);
    if (count !== OBJECTS) continue;
    await write('tokenctl.json', JSON.stringify({ applications: [], reactors: [] }));
    const plan = await run('plan');
    expect(plan.stderr).toContain(`${OBJECTS} objects of earlier applies are no longer declared`);
    const pruned = await run('apply --prune --yes');
    expect(pruned.json.summary.deleted).toBe(OBJECTS);
  }
});

test('what a killed apply created is pruned by the next one, even if it is not declared any more', async () => {
  const { run, write } = await interruptApply('SIGKILL', 1);
  await write('tokenctl.json', JSON.stringify({ applications: [], reactors: [] }));
  const pruned = await run('apply --prune --yes');
  expect(pruned.code, pruned.stderr).toBe(0);
  expect(pruned.json.summary.deleted).toBeGreaterThan(0);
  const { stdout } = await run(`application list --jq '[.data[].name] | sort | join(" ")'`);
  expect(stdout.trim()).toBe('management private public');
});

test('an interrupt lets the request in flight end, and records what it did', async () => {
  const { code, recorded } = await interruptApply('SIGINT', 5);
  expect(code).toBe(130);
  const records = await recorded();
  expect(records.length).toBeGreaterThanOrEqual(5);
  expect(records.filter(({ id }) => id === '')).toEqual([]);
});
