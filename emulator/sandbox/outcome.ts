import type { Json } from '../../src/contract/json.js';

/** What came of an invocation. Data, never a thrown error: the caller maps it to a response. */

/** An error as reactor code threw it, reduced to plain data. */
export interface ThrownError {
  /** `error.name`; for a thrown value that is no error, its type. */
  name: string;
  message: string;
  /** Present when it is an integer: the status the code asks for. Its range is the caller's to check. */
  status?: number;
  /** `error.errors`, when it is a map of messages, a list of them, or one message. */
  errors?: Json;
  /** `CustomHttpResponseError` only. */
  headers?: Record<string, string>;
  /** `CustomHttpResponseError` only. */
  body?: Json;
  /** Frames in the reactor's own file only, first line `name: message`; empty string when there are none. */
  stack: string;
  /** The first frame in the reactor's own file, both counted from 1. */
  position?: { file: string; line: number; column: number };
}

/** Where the time of an invocation went, in milliseconds of the machine's clock. */
export interface Timings {
  /** No warm instance of this version was free. */
  cold: boolean;
  /** Waiting for an instance. */
  queueMs: number;
  /** Compiling the code and running its top level; 0 when warm. */
  loadMs: number;
  /** The function itself, with what it awaits. */
  runMs: number;
  totalMs: number;
}

/**
 * Failures that the sandbox words itself. `message` is fit for the client: it holds nothing of the arguments,
 * the configuration or the host.
 *
 * - `timeout`: the deadline passed.
 * - `stalled`: the promise is pending and nothing is left that could settle it; Node.js would exit here.
 * - `out-of-memory`: the instance's memory limit was reached.
 * - `not-json`: the result is no JSON (a cycle, a BigInt, a function, a getter that throws).
 * - `output-too-large`: the result is longer than the limit.
 * - `too-deep`: reactors that call reactors, past the limit.
 * - `busy`: no instance became free before the deadline, or too many invocations wait already.
 * - `cancelled`: the caller's signal fired, or the sandbox was closed.
 * - `crashed`: the worker ended on its own.
 */
export type RuntimeFailure =
  | 'timeout'
  | 'stalled'
  | 'out-of-memory'
  | 'not-json'
  | 'output-too-large'
  | 'too-deep'
  | 'busy'
  | 'cancelled'
  | 'crashed';

export type ReactorResult =
  /** `value` is absent when the code returned nothing. Its shape (`raw`, `tokenize`) is the caller's to check. */
  | { kind: 'returned'; value?: Json }
  | { kind: 'threw'; error: ThrownError }
  /** The code does not parse, or exports no function: 422 (decisions.md, "Status codes"). */
  | { kind: 'load-error'; message: string; position?: ThrownError['position'] }
  | { kind: RuntimeFailure; message: string };

export type InvocationOutcome = ReactorResult & { timings: Timings };
