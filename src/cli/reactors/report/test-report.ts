import type { CaseResult, ReactorTestResult } from '../test/run-tests.js';
import { type ReportedError, toReportedError } from './github.js';

/** Version of the report's shape. It increases if a property is removed or changes its meaning. */
const TEST_REPORT_VERSION = 1;

/** A failed case has its console, the stack of the error that the code threw, and the position of one of them. */
export interface CaseReport
  extends Pick<CaseResult, 'name' | 'passed' | 'mismatches'>,
    Partial<Pick<CaseResult, 'console' | 'stack' | 'position'>> {
  duration_ms: number;
}

export interface ReactorTestReport extends Omit<ReactorTestResult, 'cases' | 'error'> {
  cases: CaseReport[];
  /** Present if the cases could not run. */
  error?: ReportedError | undefined;
}

/** What `reactor test` prints as JSON. */
export interface TestReport {
  version: typeof TEST_REPORT_VERSION;
  /** A reactor whose cases could not run counts as one failure. */
  summary: { passed: number; failed: number };
  reactors: ReactorTestReport[];
}

function toCaseReport({ durationMs, console, stack, position, ...result }: CaseResult): CaseReport {
  const { name, passed, mismatches } = result;
  const report = { name, passed, duration_ms: Math.round(durationMs), mismatches };
  if (passed) return report;
  return { ...report, ...(console.length > 0 && { console }), ...(stack.length > 0 && { stack }), position };
}

function toReactorReport({ cases, error, ...result }: ReactorTestResult): ReactorTestReport {
  const report = { ...result, cases: cases.map(toCaseReport) };
  return error === undefined ? report : { ...report, error: toReportedError(error) };
}

/** Reports the outcome of the tests. */
export function createTestReport(results: readonly ReactorTestResult[]): TestReport {
  const cases = results.flatMap((result) => result.cases);
  const passed = cases.filter((one) => one.passed).length;
  const broken = results.filter(({ error }) => error !== undefined).length;
  return {
    version: TEST_REPORT_VERSION,
    summary: { passed, failed: cases.length - passed + broken },
    reactors: results.map(toReactorReport),
  };
}
