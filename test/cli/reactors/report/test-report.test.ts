import { expect, test } from 'vitest';
import { createTestReport } from '../../../../src/cli/reactors/report/test-report.js';

const one = (passed: boolean) => ({ name: 'case', passed, duration_ms: 1, mismatches: [] });

test('counts cases, and a reactor whose cases could not run as one failure', () => {
  const report = createTestReport([
    { name: 'a', file: 'a.ts', tests: 'a.test.json', cases: [one(true), one(false)] },
    { name: 'b', file: 'b.ts', tests: 'b.test.json', cases: [], error: new Error('no') },
    { name: 'c', file: 'c.ts', cases: [] },
  ]);
  expect(report.summary).toEqual({ passed: 1, failed: 2 });
  expect(report.reactors[1]?.error).toMatchObject({ detail: 'no' });
});
