import { isDeepStrictEqual } from 'node:util';

/** The output of a command. */
export interface Printed {
  stdout: string;
  stderr: string;
  /** `stdout` parsed as JSON; undefined if it is not JSON. */
  json: unknown;
}

/** A step of the story. */
export interface Step {
  title: string;
  /** Returns the arguments of `tokenctl`; called right before the step, since ids come from earlier steps. */
  command: () => string[];
  /** The expected exit code; default 0. */
  exitCode?: number;
  /** Throws if the step did not have the expected result. */
  check: (printed: Printed) => void;
}

/** @throws {Error} if the two differ. */
export function expect(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}
