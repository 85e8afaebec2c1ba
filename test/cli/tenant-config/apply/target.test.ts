import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '../../../support/call.js';
import { projectDir, tokenctl } from '../../../support/executable.js';
import { type TestTarget, useSharedEmulator } from '../../../support/shared-emulator.js';

const emulator = useSharedEmulator();

const FILES = { 'a.js': 'module.exports = async () => ({});' };
const REACTORS = { reactors: [{ name: 'charge', code: 'a.js' }] };
/** Planned and applied in half the time. */
const WEBHOOKS = { webhooks: [{ name: 'shop', url: 'http://127.0.0.1:9/', events: ['token.created'] }] };

/** Two tenants of one service, and a project for both. */
async function setUp(manifest: object = REACTORS) {
  const cwd = await projectDir({ ...FILES, 'tokenctl.json': JSON.stringify(manifest) });
  const [ours, theirs] = [await emulator.tenant(), await emulator.tenant()];
  const run = (target: TestTarget, line: string) => tokenctl(line, { cwd, env: target.env });
  const list = async (target: TestTarget, path: string) =>
    (await call({ ...emulator, keys: target.keys }, 'GET', path, { as: 'management' })).body;
  const reactors = async (target: TestTarget) => (await list(target, '/reactors')).pagination.total_items;
  const webhooks = async (target: TestTarget) => (await list(target, '/webhooks')).data.length;
  return { cwd, ours, theirs, run, reactors, webhooks };
}

test('a plan is applied to its own tenant only', async () => {
  const { ours, theirs, run, webhooks } = await setUp(WEBHOOKS);
  const plan = await run(ours, 'plan --out plan.json');
  expect(plan.json.tenant).toEqual({ id: ours.tenantId, name: expect.any(String) });
  const wrong = await run(theirs, 'apply plan.json');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain(ours.tenantId);
  expect(wrong.stderr).toContain(theirs.tenantId);
  expect(await webhooks(theirs)).toBe(0);
  const right = await run(ours, 'apply plan.json');
  expect(right.code).toBe(0);
  expect(right.stderr).toMatch(new RegExp(`^→ .*\\(tenant Tenant \\d+ ${ours.tenantId}\\)$`, 'm'));
  expect(right.json.tenant.id).toBe(ours.tenantId);
});

test('a plan file that was changed is refused, and deletes only what the lock file records', async () => {
  const { ours, run, reactors, cwd } = await setUp();
  await run(ours, 'plan --out plan.json');
  const path = join(cwd, 'plan.json');
  const signed = await readFile(path, 'utf8');
  const { id } = (await run(ours, 'application list --json')).json.data[0];
  const changed = JSON.parse(signed);
  changed.objects.push({ ...changed.objects[0], kind: 'application', action: 'delete', id, remote: null });
  for (const text of [signed.replace('({})', '(666)'), JSON.stringify(changed)]) {
    await writeFile(path, text);
    const { code, stderr } = await run(ours, 'apply plan.json --yes');
    expect(code).toBe(2);
    expect(stderr).toContain('was changed after it was made');
  }
  await writeFile(path, signed);
  expect((await run(ours, 'apply plan.json')).code).toBe(0);
  await writeFile(join(cwd, 'tokenctl.json'), JSON.stringify({ reactors: [] }));
  expect(await run(ours, 'plan --prune --out plan.json')).toMatchObject({
    code: 0,
    json: { objects: [{ name: 'charge', status: 'deleted', remote: 'untouched', verified: false }] },
  });
  const lock = await readFile(join(cwd, 'tokenctl.lock.json'));
  await rm(join(cwd, 'tokenctl.lock.json'));
  const unrecorded = await run(ours, 'apply plan.json --yes');
  expect(unrecorded.code).toBe(2);
  expect(unrecorded.stderr).toContain('reactor charge');
  expect(await reactors(ours)).toBe(1);
  await writeFile(join(cwd, 'tokenctl.lock.json'), lock);
  expect((await run(ours, 'apply plan.json --yes')).code).toBe(0);
  expect(await reactors(ours)).toBe(0);
});

test('--environment must be that of the plan', async () => {
  const { ours, run, webhooks } = await setUp({ ...WEBHOOKS, environments: { staging: {}, production: {} } });
  await run(ours, 'plan --environment staging --out plan.json');
  const { code, stderr } = await run(ours, 'apply plan.json --environment production');
  expect(code).toBe(2);
  expect(stderr).toContain('The plan is for the environment staging, not for the environment production.');
  await run(ours, 'plan --out base.json');
  expect((await run(ours, 'apply base.json --environment staging')).code).toBe(2);
  expect(await webhooks(ours)).toBe(0);
});

test('an environment with a tenant_id refuses the key of another tenant', async () => {
  const { ours, theirs, run, reactors, cwd } = await setUp();
  const environments = { production: { tenant_id: ours.tenantId } };
  await writeFile(join(cwd, 'tokenctl.json'), JSON.stringify({ ...REACTORS, environments }));
  for (const command of ['plan', 'diff', 'apply --yes', 'reactor deploy']) {
    const line = `${command} --environment production`;
    const wrong = await run(theirs, line);
    expect([command, wrong.code]).toEqual([command, 2]);
    expect(wrong.stderr).toContain(`The environment production is the tenant ${ours.tenantId}`);
  }
  expect((await run(ours, 'reactor deploy --environment production')).code).toBe(0);
  expect(await reactors(theirs)).toBe(0);
});

test('a lock that knows another tenant of the service refuses, until --retarget', async () => {
  const { ours, theirs, run, reactors } = await setUp();
  expect((await run(ours, 'apply --yes')).code).toBe(0);
  for (const command of ['apply --yes', 'plan', 'reactor deploy', 'reactor history charge']) {
    const { code, stderr } = await run(theirs, command);
    expect(code, command).toBe(2);
    expect(stderr, 'names a command that has the flag').toContain('tokenctl apply --retarget');
  }
  expect(await reactors(theirs)).toBe(0);
  expect((await run(theirs, 'diff')).code).toBe(0);
  expect((await run(theirs, 'apply --yes --retarget')).code).toBe(0);
  expect((await run(theirs, 'plan')).code).toBe(0);
  expect((await run(ours, 'plan')).code).toBe(2);
});

test('an emulator that was started anew is no other tenant', async () => {
  const cwd = await projectDir({ 'tokenctl.json': JSON.stringify(WEBHOOKS) });
  for (const round of [1, 2]) {
    const started = await tokenctl(
      ['emulator', 'exec', '--data-dir', 'data', '--', process.execPath, '-e', APPLY],
      { cwd },
    );
    expect(started.code, `${round}: ${started.stderr}`).toBe(0);
    await rm(join(cwd, 'data'), { recursive: true });
  }
});

const APPLY = `
  const { spawnSync } = require('node:child_process');
  const tokenctl = ${JSON.stringify(join(import.meta.dirname, '../../../../bin/tokenctl.js'))};
  const { TOKENCTL_BASE_URL: _, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [tokenctl, 'apply', '--yes', '--data-dir', 'data'], { env, encoding: 'utf8' });
  process.stderr.write(stderr);
  process.exitCode = status;
`;

test('keys of two tenants are refused', async () => {
  const smoke = [{ expect: {} }];
  const { cwd, ours, theirs, reactors } = await setUp({
    reactors: [{ name: 'charge', code: 'a.js', smoke }],
  });
  const env = { ...ours.env, TOKENCTL_PRIVATE_KEY: theirs.keys.private };
  expect(await tokenctl('apply --yes', { cwd, env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`belongs to the tenant ${theirs.tenantId}`),
  });
  expect(await reactors(ours)).toBe(0);
});
