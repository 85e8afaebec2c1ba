import type { ConsoleLine } from '../../emulator/reactor-runner.js';
import type { SourcePosition } from '../build/source-positions.js';
import type { CaseResult, ReactorTestResult } from '../test/local-application.js';
import { type ReportedError, toReportedError } from './github.js';

/** Version of the report's shape. It increases if a property is removed or changes its meaning. */
const TEST_REPORT_VERSION = 1;

export interface CaseReport {
  name: string;
  passed: boolean;
  duration_ms: number;
  /** Where the response differs from the expected one. */
  mismatches: CaseResult['mismatches'];
  /** Only for a failed case. */
  console?: ConsoleLine[];
  /** Only for a failed case: frames of the error that the code threw, the innermost first. */
  stack?: string[];
  /** Only for a failed case: where the code threw, or the case in the test file. */
  position?: SourcePosition;
}

export interface ReactorTestReport {
  name: string;
  /** The code, relative to the working directory. */
  file: string;
  /** The test file; absent if there is none. */
  tests?: string | undefined;
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

function toCaseReport({
  name,
  passed,
  durationMs,
  mismatches,
  console,
  stack,
  position,
}: CaseResult): CaseReport {
  const report = { name, passed, duration_ms: Math.round(durationMs), mismatches };
  if (passed) return report;
  return {
    ...report,
    ...(console.length > 0 && { console }),
    ...(stack.length > 0 && { stack }),
    position,
  };
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
