import { PERMISSION_NAMES } from '../../../contract/permissions.js';
import type { OperationInput } from '../../../contract/schemas/index.js';
import type { ConsoleLine } from '../../emulator/reactor-runner.js';
import type { SourcePosition } from '../build/source-positions.js';

export const LOCAL_APPLICATION_NAME = 'reactor';

/**
 * The application that `reactor run` and `reactor test` use in place of the one that the manifest names, whose
 * permissions only the service knows: it may do everything with tokens.
 */
export function createLocalApplication(): OperationInput<'applications.create'>['body'] {
  const permissions = PERMISSION_NAMES.filter((name) => name.startsWith('token:'));
  return { name: LOCAL_APPLICATION_NAME, type: 'private', permissions };
}

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
