import type { ConsoleLine } from '../../emulator/reactor-runner.js';
import type { SourcePosition } from '../build/source-positions.js';

/** The outcome of one test case. */
export interface CaseResult {
  name: string;
  passed: boolean;
  durationMs: number;
  /** Where the response differs from the expected one. */
  mismatches: { path: string; expected: string; actual: string }[];
  console: ConsoleLine[];
  /** Frames of an error that the code threw and that sets no status, the innermost first. */
  stack: string[];
  /** Where the code threw it; otherwise the case in the test file. */
  position: SourcePosition;
}

/** The outcome of the tests of one reactor. */
export interface ReactorTestResult {
  name: string;
  /** The code, relative to the working directory. */
  file: string;
  /** The test file, relative to the working directory; absent if there is none. */
  tests?: string | undefined;
  cases: CaseResult[];
  /** The cassette that was written, relative to the working directory. */
  recorded?: { file: string; calls: number } | undefined;
  /** What kept the cases from running. */
  error?: unknown;
}
