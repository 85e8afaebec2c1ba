import { describe, expect, test } from 'vitest';
import { renderReport } from '../../../../src/cli/commands/shared/tenant-config/report-view.js';
import { loadStyle } from '../../../../src/cli/output/style.js';
import type { ObjectResult } from '../../../../src/cli/tenant-config/apply/result.js';
import { createReport, summarize } from '../../../../src/cli/tenant-config/report/report.js';

const OPTIONS = {
  target: 'https://api.example.com',
  tenant: { id: 'tenant 1', name: 'Acme' },
  manifest: 'tokenctl.yaml',
  environment: undefined,
  dryRun: false,
};

const result = (more: Partial<ObjectResult>): ObjectResult => ({
  kind: 'reactor',
  name: 'charge',
  status: 'created',
  remote: 'written',
  verified: true,
  changes: [],
  weakenings: [],
  durationMs: 12.6,
  ...more,
});

describe('createReport', () => {
  test('counts the results and rounds the times', () => {
    const report = createReport([result({}), result({ status: 'updated' }), result({})], OPTIONS);
    expect(report).toMatchObject({
      version: 2,
      target: 'https://api.example.com',
      tenant: { id: 'tenant 1', name: 'Acme' },
      manifest: 'tokenctl.yaml',
      dry_run: false,
      summary: { created: 2, updated: 1, unchanged: 0, deleted: 0, failed: 0, skipped: 0 },
    });
    expect(report.objects[0]).toMatchObject({ name: 'charge', duration_ms: 13 });
  });
});

describe('summarize', () => {
  test.each([
    [[result({}), result({ status: 'failed' })], false, '1 created, 1 failed'],
    [[result({ status: 'deleted' })], true, '1 to delete'],
    [[], false, 'nothing to do'],
  ])('%#', (results, dryRun, text) => {
    expect(summarize(createReport(results, { ...OPTIONS, dryRun }))).toBe(text);
  });
});

test('on a terminal a plan shows what changes, with its diff indented, and counts the rest', async () => {
  const changed = result({
    status: 'updated',
    changes: [{ field: 'code', change: 'changed' }],
    diff: '+ new',
  });
  const plan = [result({ name: 'other', status: 'unchanged', id: 'id' }), changed];
  const render = async (dryRun: boolean, width: number) =>
    renderReport(createReport(plan, { ...OPTIONS, dryRun }), await loadStyle(false), false, width).split(
      '\n',
    );
  const update = 'update     reactor charge  code';
  expect(await render(true, 80)).toEqual([update, '  + new', '1 to update, 1 unchanged']);
  const unchanged = 'unchanged  reactor other   id';
  const all = Number.POSITIVE_INFINITY;
  expect(await render(true, all)).toEqual([unchanged, update, '+ new', '1 to update, 1 unchanged']);
  expect(await render(false, 80)).toContain(unchanged);
});
