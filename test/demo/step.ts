import { isDeepStrictEqual } from 'node:util';

/** What a command printed. */
export interface Printed {
  stdout: string;
  stderr: string;
  /** `stdout` as JSON; undefined when it is not. */
  json: unknown;
}

/** One step of the story. */
export interface Step {
  title: string;
  /** The arguments of `tokenctl`, made when the step's turn comes, since ids come from the steps before it. */
  command: () => string[];
  /** 0 unless said otherwise. */
  exitCode?: number;
  /** Throws when the step did not give what it should. */
  check: (printed: Printed) => void;
}

/** @throws {Error} when the two differ. */
export function expect(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}
