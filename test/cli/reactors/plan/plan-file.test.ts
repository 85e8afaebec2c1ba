import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CliError } from '../../../../src/cli/lib/errors.js';
import { assemblePlan, type Plan } from '../../../../src/cli/reactors/plan/plan.js';
import {
  type PlanFile,
  readPlanFile,
  toRows,
  writePlanFile,
} from '../../../../src/cli/reactors/plan/plan-file.js';
import { restorePlan } from '../../../../src/cli/reactors/plan/restored-plan.js';
import { projectDir } from '../../../support/project-dir.js';
import { built, failedBuild, reactor, remote } from './support.js';

const toFile = (plan: Plan): PlanFile => ({
  version: 1,
  target: plan.target,
  created_at: '2026-01-01T00:00:00.000Z',
  reactors: toRows(plan),
});

function catchErrors(restore: () => unknown): unknown {
  try {
    restore();
  } catch (error) {
    if (error instanceof CliError) return error.failure.errors;
  }
  return undefined;
}

describe('a plan file', () => {
  const build = built({ code: 'new', configuration: { KEY: 'secret-value' } });

  test('is read as it was written, by its owner only', async () => {
    const path = join(await projectDir({}), 'plan.json');
    const plan = assemblePlan([build], remote({ charge: reactor({ code: 'old' }) }));
    await writePlanFile(path, plan);
    expect((await readPlanFile(path)).reactors).toEqual(toRows(plan));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('contains the code but no configuration value', async () => {
    const path = join(await projectDir({}), 'plan.json');
    await writePlanFile(path, assemblePlan([build], remote({})));
    const text = await readFile(path, 'utf8');
    expect(text).toContain('"code": "new"');
    expect(text).not.toContain('secret-value');
  });

  test.each([
    ['not JSON', '{', 'is not JSON.'],
    ['another version', '{"version":2}', 'is not a valid plan.'],
  ])('is rejected if it is %s', async (_what, text, message) => {
    const path = join(await projectDir({ 'plan.json': text }), 'plan.json');
    await expect(readPlanFile(path)).rejects.toThrow(message);
  });

  test('omits reactors that could not be planned', () => {
    expect(toRows(assemblePlan([failedBuild(new Error('no'))], remote({})))).toEqual([]);
  });
});

describe('restorePlan', () => {
  const build = built({ code: 'new', configuration: { KEY: 'one' } });
  const service = remote({ charge: reactor({ code: 'old' }) });
  const file = toFile(assemblePlan([build], service));

  test('returns the plan if nothing changed', () => {
    expect(restorePlan(file, [build], service)).toEqual(assemblePlan([build], service));
  });

  test.each([
    ['has another content', remote({ charge: reactor({ code: 'theirs' }) })],
    ['has another ID', remote({ charge: reactor({ code: 'old', id: 'other' }) })],
    ['is gone', remote({})],
  ])('rejects a plan whose reactor %s', (_what, changed) => {
    expect(catchErrors(() => restorePlan(file, [build], changed))).toEqual({
      charge: ['was changed on the service after the plan was created'],
    });
  });

  test('rejects other configuration values', () => {
    const other = built({ code: 'new', configuration: { KEY: 'two' } });
    expect(catchErrors(() => restorePlan(file, [other], service))).toEqual({
      charge: ['has a different configuration than planned'],
    });
  });

  test('throws the error of a lookup that failed', () => {
    const broken = remote({ charge: new Error('no connection') });
    expect(() => restorePlan(file, [build], broken)).toThrow('no connection');
  });

  test('restores deletions', () => {
    const orphan = reactor({ name: 'old' });
    const withOrphan = { ...remote({ old: orphan }), orphans: [orphan] };
    const deletion = toFile(assemblePlan([], withOrphan));
    expect(restorePlan(deletion, [], { ...withOrphan, orphans: [] }).deletions).toEqual([
      { action: 'delete', before: orphan },
    ]);
  });
});
