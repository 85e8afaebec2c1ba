import type { ReactorTestResult } from '../test/run-tests.js';
import { type ReportedError, toReportedError } from './github.js';

/** Version of the report's shape. It increases if a property is removed or changes its meaning. */
const TEST_REPORT_VERSION = 1;

export interface ReactorTestReport extends Omit<ReactorTestResult, 'error'> {
  /** Present if the cases could not run. */
  error?: ReportedError | undefined;
}

export interface TestReport {
  version: typeof TEST_REPORT_VERSION;
  /** A reactor whose cases could not run counts as one failure. */
  summary: { passed: number; failed: number };
  reactors: ReactorTestReport[];
}

const toReactorReport = ({ error, ...result }: ReactorTestResult): ReactorTestReport =>
  error === undefined ? result : { ...result, error: toReportedError(error) };

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
