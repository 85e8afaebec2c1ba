import type { Json } from '../../src/contract/json.js';

/** A position in the reactor's file. */
export interface Position {
  file: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** Only the function is known; line and column are its start. */
  inFunction?: true;
}

/** An error that reactor code threw, as plain data. */
export interface ThrownError {
  /** `error.name`; `Error` if a value without a name was thrown. */
  name: string;
  message: string;
  /** Message of the innermost `error.cause`, for example why `fetch` failed. */
  cause?: string;
  /** `error.status` if it is an integer. The caller checks its range. */
  status?: number;
  /** `error.errors`, of any shape. */
  errors?: Json;
  /** `CustomHttpResponseError` only. */
  headers?: Record<string, string>;
  /** `CustomHttpResponseError` only. */
  body?: Json;
  /** `name: message` and the frames of the reactor's own file; empty if there are no such frames. */
  stack: string;
  /** The first frame in the reactor's own file. */
  position?: Position;
}

/** Durations of the phases of an invocation, in milliseconds of the machine's clock. */
export interface Timings {
  /** True if no warm instance of this version was free. */
  cold: boolean;
  /** Waiting for an instance. */
  queueMs: number;
  /** Compiling the code and running its top level; 0 in a warm instance. */
  loadMs: number;
  /** Running the function, including everything it awaits. */
  runMs: number;
  totalMs: number;
}

/**
 * Failures that the sandbox detects. Their messages may be sent to clients, because they contain nothing of the arguments, the
 * configuration or the host.
 *
 * - `timeout`: the deadline passed.
 * - `stalled`: the returned promise is pending and nothing can settle it. Node.js would exit at this point.
 * - `out-of-memory`: the instance reached its memory limit.
 * - `not-json`: the result is not JSON (a cycle, a BigInt, a function, a getter that throws).
 * - `output-too-large`: the result exceeds the size limit.
 * - `too-deep`: a chain of reactors that call each other exceeds the depth limit.
 * - `busy`: no instance became free before the deadline.
 * - `queue-full`: too many invocations are waiting for an instance, or their arguments are too long together.
 * - `cancelled`: the caller's signal fired, or the sandbox was closed.
 * - `crashed`: the worker exited on its own.
 */
export type RuntimeFailure =
  | 'timeout'
  | 'stalled'
  | 'out-of-memory'
  | 'not-json'
  | 'output-too-large'
  | 'too-deep'
  | 'busy'
  | 'queue-full'
  | 'cancelled'
  | 'crashed';

/** The code does not parse or exports no function: 422 (decisions.md, "Status codes"). */
export interface LoadError {
  kind: 'load-error';
  message: string;
  position?: Position;
}

/** The result of an invocation. The caller maps it to a response. */
export type ReactorResult =
  /** `value` is absent if the code returned undefined. The caller checks its shape (`raw`, `tokenize`). */
  | { kind: 'returned'; value?: Json }
  | { kind: 'threw'; error: ThrownError }
  | LoadError
  | { kind: RuntimeFailure; message: string };

export type InvocationOutcome = ReactorResult & { timings: Timings };

/** An error of the host whose name, message and code may be shown to reactor code. */
export class VisibleError extends Error {
  readonly code: string | undefined;

  constructor(message: string, name = 'Error', code?: string) {
    super(message);
    this.name = name;
    this.code = code;
  }
}

/** Returns what reactor code gets of an error, as plain data. */
export const toVisibleFields = ({ name, message, code }: Error & { code?: string | undefined }) => ({
  name,
  message,
  code,
});
