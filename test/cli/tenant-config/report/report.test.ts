import { describe, expect, test } from 'vitest';
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
