import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tokenctl } from '../../../support/executable.js';
import { useSharedEmulator } from '../../../support/shared-emulator.js';

const emulator = useSharedEmulator();

const APPLICATION = { name: 'backend', type: 'private', permissions: ['token:use'] };
const REACTOR = { name: 'charge', code: 'a.js', application: 'backend', configuration: { MODE: 'test' } };
const MANIFEST = { applications: [APPLICATION], reactors: [REACTOR], tenant: {} };
const LOCK = 'tokenctl.lock.json';

/** A project whose manifest can be changed, and a tenant for it. */
async function setUp() {
  const project = await emulator.project({
    'a.js': 'module.exports = async () => ({});',
    'tokenctl.json': JSON.stringify(MANIFEST),
  });
  const { cwd, write } = project;
  const run = async (line: string) => {
    const ran = await project.run(`${line} --json`);
    return { ...ran, report: ran.json };
  };
  const declare = (content: object) => write('tokenctl.json', JSON.stringify(content));
  const records = async () => {
    const { services } = JSON.parse(await readFile(join(cwd, LOCK), 'utf8'));
    return services[0].objects.map(({ versions, ...object }: { versions?: { hash: string }[] }) => ({
      ...object,
      hashes: versions?.map(({ hash }) => hash),
    }));
  };
  const loseLock = async () => {
    await rm(join(cwd, LOCK));
    await rm(join(cwd, 'tokenctl.versions'), { recursive: true });
  };
  return { ...project, run, declare, records, loseLock };
}

test('adopt rebuilds a lost lock file without changing anything', async () => {
  const { cwd, run, write, declare, records, loseLock } = await setUp();
  await run('apply --yes');
  const lost = await records();
  const stored = (await run('reactor list')).stdout;
  await loseLock();

  const { code, report, stderr } = await run('adopt');
  expect(code, stderr).toBe(0);
  expect(report.summary).toMatchObject({ unchanged: 2, updated: 0, created: 0 });
  expect(await records()).toEqual(lost);
  expect(await readdir(join(cwd, 'tokenctl.versions'))).toHaveLength(1);
  expect((await run('reactor list')).stdout).toBe(stored);
  expect((await run('plan')).report.summary).toMatchObject({ updated: 0, created: 0, deleted: 0 });
  expect((await run('reactor history charge')).report.versions).toHaveLength(1);

  await write('a.js', 'module.exports = async () => ({ raw: 2 });');
  await run('apply --yes');
  expect((await run('reactor rollback charge')).report.summary.updated).toBe(1);
  expect((await run('reactor list')).report.data[0].code).toContain('({})');

  await declare({ ...MANIFEST, reactors: [] });
  expect((await run('apply --prune --yes')).report.summary.deleted).toBe(1);
});

test('an adopted object that another key created is never pruned', async () => {
  const { cwd, env, run, declare, records, loseLock } = await setUp();
  const ci = await run(
    'application create --name ci --type management --permission application:create,application:read,reactor:create,reactor:read,reactor:update',
  );
  const ciEnv = { TOKENCTL_BASE_URL: env.TOKENCTL_BASE_URL ?? '', TOKENCTL_API_KEY: ci.report.key };
  await declare({ reactors: [{ name: 'charge', code: 'a.js' }] });
  const applied = await tokenctl('apply --yes', { cwd, env: ciEnv });
  expect(applied.code, applied.stderr).toBe(0);
  await loseLock();

  expect((await run('adopt')).report.objects[0].note).toContain('never pruned');
  expect(await records()).toMatchObject([{ name: 'charge', created: false }]);
  await declare({ reactors: [] });
  expect((await run('apply --prune --yes')).report.summary.deleted).toBe(0);
});

test('adopt takes objects by kind or name, records what differs, and skips what does not exist', async () => {
  const { run, write, declare, records, loseLock } = await setUp();
  await run('apply --yes');
  await loseLock();
  await write('a.js', 'module.exports = async () => ({ raw: 2 });');
  const other = { ...REACTOR, name: 'new' };
  await declare({ ...MANIFEST, reactors: [REACTOR, other] });

  const wrong = await run('adopt reactor/absent');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('The manifest declares no \\"reactor/absent\\".');
  const { report } = await run('adopt reactor');
  expect(report.objects).toMatchObject([
    { name: 'charge', status: 'unchanged', note: 'recorded; differs from the manifest' },
    { name: 'new', status: 'skipped', reason: 'the service has no such object' },
  ]);
  expect(await records()).toMatchObject([{ kind: 'reactor', name: 'charge', created: true }]);
  await run('adopt application/backend');
  expect(await records()).toHaveLength(2);
  expect((await run('plan')).report.summary).toMatchObject({ created: 1, updated: 1, unchanged: 2 });
});
