import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CliError } from '../../../../src/cli/lib/errors.js';
import { assemblePlan, type Plan } from '../../../../src/cli/tenant-config/plan/plan.js';
import {
  assertNoManifest,
  type PlanFile,
  readPlanFile,
  toRows,
  writePlanFile,
} from '../../../../src/cli/tenant-config/plan/plan-file.js';
import { assertPlanCurrent } from '../../../../src/cli/tenant-config/plan/restored-plan.js';
import { projectDir } from '../../../support/executable.js';
import { declared, notValid, reactor, remote } from './support.js';

const KEY = 'digest key';
const TENANT = { id: 'tenant 1', name: 'Acme' };
const OPTIONS = { tenant: TENANT, environment: undefined, digestKey: KEY };

const toFile = (plan: Plan): PlanFile => ({
  version: 3,
  target: plan.target,
  tenant: TENANT,
  created_at: '2026-01-01T00:00:00.000Z',
  objects: toRows(plan, KEY),
  signature: '',
});

function errorsOf(file: PlanFile, plan: Plan, key = KEY): unknown {
  try {
    assertPlanCurrent(file, plan, key);
  } catch (error) {
    if (error instanceof CliError) return error.failure.errors;
    throw error;
  }
  return undefined;
}

const ours = declared({ code: 'new', configuration: { KEY: 'secret-value' } });

test('a plan file is read as it was written, by its owner only', async () => {
  const path = join(await projectDir({}), 'plan.json');
  const plan = assemblePlan([ours], remote(reactor({ code: 'old' })));
  await writePlanFile(path, plan, OPTIONS);
  expect((await readPlanFile(path, KEY)).objects).toEqual(JSON.parse(JSON.stringify(toRows(plan, KEY))));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('the manifest is not taken for a plan, and no plan takes its place', async () => {
  const path = join(await projectDir({ 'tokenctl.yaml': 'reactors: []\n' }), 'tokenctl.yaml');
  await expect(readPlanFile(path, KEY)).rejects.toThrow('is the manifest, not a plan.');
  expect(() => assertNoManifest(path)).toThrow('is the manifest.');
  expect(() => assertNoManifest('plan.json')).not.toThrow();
});

test.each([
  ['not JSON', '{', 'is not JSON.'],
  ['another version', '{"version":1}', 'is not a valid plan.'],
  [
    'a newer version',
    '{"version":4}',
    'was written by a newer tokenctl: its version is 4, this one knows 3.',
  ],
])('a plan file is rejected if it is %s', async (_what, text, message) => {
  const path = join(await projectDir({ 'plan.json': text }), 'plan.json');
  await expect(readPlanFile(path, KEY)).rejects.toThrow(message);
});

test('a plan file is rejected if it was changed, or signed with another key', async () => {
  const path = join(await projectDir({}), 'plan.json');
  await writePlanFile(path, assemblePlan([ours], remote()), OPTIONS);
  await expect(readPlanFile(path, 'another key')).rejects.toThrow('was signed with another key');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"code": "new"', '"code": "evil"'));
  await expect(readPlanFile(path, KEY)).rejects.toThrow('was changed after it was made.');
});

test('a plan file omits objects that could not be planned', () => {
  expect(toRows(assemblePlan([notValid(new Error('no'))], remote()), KEY)).toEqual([]);
});

const service = remote(reactor({ code: 'old' }));
const file = toFile(assemblePlan([ours], service));

test.each([
  ['has another content', remote(reactor({ code: 'theirs' }))],
  ['has another ID', remote(reactor({ code: 'old' }, { id: 'other' }))],
  ['was written since', remote(reactor({ code: 'old' }, { modifiedAt: '2026-02-02' }))],
  ['is gone', remote()],
])('assertPlanCurrent rejects a plan whose reactor %s', (_what, changed) => {
  expect(errorsOf(file, assemblePlan([ours], changed))).toEqual({
    'reactor charge': ['was changed on the service after the plan was created'],
  });
});

const other = declared({ code: 'new', configuration: { KEY: 'two' } });

test('assertPlanCurrent cannot tell values apart on another machine, whose digest key differs, but names', () => {
  expect(errorsOf(file, assemblePlan([other], service), 'another key')).toBeUndefined();
  const named = declared({ code: 'new', configuration: { OTHER: 'two' } });
  expect(errorsOf(file, assemblePlan([named], service), 'another key')).toEqual({
    'reactor charge': ['has a different configuration than planned'],
  });
});

test('assertPlanCurrent rejects code that differs from its hash', () => {
  const changed = { ...file, objects: file.objects.map((row) => ({ ...row, hash: '0'.repeat(64) })) };
  expect(errorsOf(changed, assemblePlan([ours], service))).toEqual({
    'reactor charge': ['differs from its hash in the plan'],
  });
});

test('assertPlanCurrent throws the error of a lookup that failed', () => {
  const broken = assemblePlan([ours], remote(new Error('no connection')));
  expect(() => assertPlanCurrent(file, broken, KEY)).toThrow('no connection');
});

test('assertPlanCurrent accepts a deletion that is done, and rejects one of an object that was changed', () => {
  const orphan = reactor({ name: 'old' });
  const deletion = toFile(assemblePlan([], remote(undefined, { orphans: [orphan] })));
  expect(errorsOf(deletion, assemblePlan([], remote(undefined, { gone: [orphan.id] })))).toBeUndefined();
  const changed = remote(undefined, { orphans: [reactor({ name: 'old', code: 'theirs' })] });
  expect(errorsOf(deletion, assemblePlan([], changed))).toEqual({
    'reactor old': ['was changed on the service after the plan was created'],
  });
});
