import { describe, expect, test } from 'vitest';
import { CliError } from '../../../../src/cli/lib/errors.js';
import type { ReactorResult } from '../../../../src/cli/reactors/apply/result.js';
import {
  createDeployReport,
  summarizeDeployment,
} from '../../../../src/cli/reactors/report/deploy-report.js';

const OPTIONS = { target: 'https://api.example.com', manifest: 'tokenctl.yaml', dryRun: false };

const result = (more: Partial<ReactorResult>): ReactorResult => ({
  name: 'charge',
  status: 'created',
  remote: 'written',
  verified: true,
  changes: [],
  durationMs: 12.6,
  ...more,
});

describe('createDeployReport', () => {
  test('counts the results and rounds the times', () => {
    const report = createDeployReport([result({}), result({ status: 'updated' }), result({})], OPTIONS);
    expect(report).toMatchObject({
      version: 1,
      target: 'https://api.example.com',
      manifest: 'tokenctl.yaml',
      dry_run: false,
      summary: { created: 2, updated: 1, unchanged: 0, deleted: 0, failed: 0 },
    });
    expect(report.reactors[0]).toMatchObject({ name: 'charge', duration_ms: 13 });
  });

  test('describes an error like any other JSON output', () => {
    const error = new CliError('not_found', 'No such application.', { traceId: 'trace-1' });
    const report = createDeployReport([result({ status: 'failed', error })], OPTIONS);
    expect(report.reactors[0]?.error).toEqual({
      category: 'not_found',
      title: 'Not Found',
      detail: 'No such application.',
      trace_id: 'trace-1',
    });
  });
});

describe('summarizeDeployment', () => {
  test.each([
    [[result({}), result({ status: 'failed' })], false, '1 created, 1 failed'],
    [[result({ status: 'deleted' })], true, 'dry run: 1 deleted'],
    [[], false, 'nothing to do'],
  ])('%#', (results, dryRun, text) => {
    expect(summarizeDeployment(createDeployReport(results, { ...OPTIONS, dryRun }))).toBe(text);
  });
});
