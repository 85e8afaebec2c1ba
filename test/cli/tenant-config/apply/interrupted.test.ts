import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTokenctl } from '../../../support/executable.js';
import { startForwarder } from '../../../support/forwarder.js';
import { useSharedEmulator } from '../../../support/shared-emulator.js';
import { sampled } from '../../../support/width.js';

const emulator = useSharedEmulator();

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

// Fault: apply | killed or interrupted after any write | memory
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
