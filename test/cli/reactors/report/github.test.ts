import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ReactorCodeError } from '../../../../src/cli/reactors/build/code-problem.js';
import { createDeployReport } from '../../../../src/cli/reactors/report/deploy-report.js';
import {
  formatAnnotation,
  formatFailureAnnotations,
  writeJobSummary,
} from '../../../../src/cli/reactors/report/github.js';
import { projectDir } from '../../../support/project-dir.js';

describe('formatAnnotation', () => {
  test('escapes what would end the command or one of its properties', () => {
    const problem = { file: 'a,b:c.ts', line: 3, column: 7, message: '100 %\nor less' };
    expect(formatAnnotation('reactor a', problem)).toBe(
      '::error file=a%2Cb%3Ac.ts,line=3,col=7,title=reactor a::100 %25%0Aor less',
    );
  });

  test('omits a position that is not known', () => {
    expect(formatAnnotation('reactor a', { message: 'no' })).toBe('::error title=reactor a::no');
  });
});

describe('formatFailureAnnotations', () => {
  test('has one annotation for each problem, with the path from the root of the repository', () => {
    const error = new ReactorCodeError('no', [
      { file: 'a.ts', line: 1, message: 'one' },
      { file: 'a.ts', line: 2, message: 'two' },
    ]);
    expect(
      formatFailureAnnotations({ name: 'a', error }, '/repo/payments', { GITHUB_WORKSPACE: '/repo' }),
    ).toEqual([
      '::error file=payments/a.ts,line=1,title=reactor a::one',
      '::error file=payments/a.ts,line=2,title=reactor a::two',
    ]);
  });

  test('has the message of any other error, at the file of the reactor', () => {
    const failed = { name: 'a', file: 'a.ts', error: new Error('Forbidden.') };
    expect(formatFailureAnnotations(failed, '/repo', {})).toEqual([
      '::error file=a.ts,title=reactor a::Forbidden.',
    ]);
  });
});

test('writeJobSummary appends a table in which no name can break out of its cell', async () => {
  const path = join(await projectDir({ 'summary.md': 'before\n' }), 'summary.md');
  const results = [
    {
      name: 'a|<b>',
      status: 'updated' as const,
      remote: 'written' as const,
      verified: true,
      changes: [{ field: 'code', change: 'changed' as const }],
      durationMs: 1,
    },
  ];
  const options = { target: 'https://api.example.com', manifest: undefined, dryRun: false };
  await writeJobSummary(createDeployReport(results, options), { GITHUB_STEP_SUMMARY: path });
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(/^before\n### Reactors on https:\/\/api\.example\.com: 1 updated\n/);
  expect(text).toContain('| a\\|&lt;b> | updated | code |');
});
