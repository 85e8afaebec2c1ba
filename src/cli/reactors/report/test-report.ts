import type { ConsoleLine } from '../../emulator/reactor-runner.js';
import type { ReportedError } from './deploy-report.js';

/** The version of the report's shape; it grows when a property changes its meaning or goes. */
export const TEST_REPORT_VERSION = 1;

export interface CaseReport {
  name: string;
  passed: boolean;
  duration_ms: number;
  /** Where the answer is not what was expected. */
  mismatches: { path: string; expected: string; actual: string }[];
  /** Of a case that failed. */
  console?: ConsoleLine[];
}

export interface ReactorTestReport {
  name: string;
  /** The code, relative to the working directory. */
  file: string;
  /** The cases; absent when there are none beside the code. */
  tests?: string | undefined;
  cases: CaseReport[];
  /** Nothing could be run. */
  error?: ReportedError | undefined;
}

/** What `reactor test` prints as JSON. */
export interface TestReport {
  version: typeof TEST_REPORT_VERSION;
  summary: { passed: number; failed: number };
  reactors: ReactorTestReport[];
}

/** A reactor that could not be run at all counts as one failure. */
export function summarizeTests(reactors: readonly ReactorTestReport[]): TestReport['summary'] {
  const cases = reactors.flatMap((reactor) => reactor.cases);
  const passed = cases.filter((one) => one.passed).length;
  const broken = reactors.filter(({ error }) => error !== undefined).length;
  return { passed, failed: cases.length - passed + broken };
}
