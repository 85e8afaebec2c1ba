import { expect, test } from 'vitest';
import { createTestReport } from '../../../../src/cli/reactors/report/test-report.js';

const line = { level: 'log', message: 'charging' };
const position = { file: 'a.test.json', line: 4, column: 1 };
const one = (passed: boolean) => ({
  name: 'case',
  passed,
  durationMs: 1.4,
  mismatches: [],
  console: [line],
  stack: [],
  position,
});

test('counts cases, and a reactor whose cases could not run as one failure', () => {
  const report = createTestReport([
    { name: 'a', file: 'a.ts', tests: 'a.test.json', cases: [one(true), one(false)] },
    { name: 'b', file: 'b.ts', tests: 'b.test.json', cases: [], error: new Error('no') },
    { name: 'c', file: 'c.ts', cases: [] },
  ]);
  expect(report.summary).toEqual({ passed: 1, failed: 2 });
  expect(report.reactors[1]?.error).toMatchObject({ detail: 'no' });
});

test('includes the console and the position of failed cases only', () => {
  const [reactor] = createTestReport([{ name: 'a', file: 'a.ts', cases: [one(true), one(false)] }]).reactors;
  expect(reactor?.cases).toEqual([
    { name: 'case', passed: true, duration_ms: 1, mismatches: [] },
    { name: 'case', passed: false, duration_ms: 1, mismatches: [], console: [line], position },
  ]);
});
