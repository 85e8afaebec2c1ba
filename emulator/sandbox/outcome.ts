import type { Json } from '../../src/contract/json.js';
import type { SandboxLimits } from './limits.js';

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
  queueMs: number;
  /** Compiling the code and running its top level; 0 in a warm instance. */
  loadMs: number;
  /** Running the function, including everything it awaits. */
  runMs: number;
  totalMs: number;
}

interface FailureDetails {
  limits: SandboxLimits;
  timeoutMs: number;
  /** Reported by the guest: why a result is not JSON. */
  detail?: string | undefined;
}

/** Failures that the sandbox detects. Their messages may be sent to clients: they contain nothing of the arguments. */
const FAILURES = {
  timeout: ({ timeoutMs }: FailureDetails) => `The reactor did not finish within ${timeoutMs} ms.`,
  // The returned promise is pending and nothing can settle it. Node.js would exit at this point.
  stalled: () =>
    'The reactor awaits a promise that can never settle: no timer, request or svc call is pending.',
  'out-of-memory': ({ limits }: FailureDetails) =>
    `The reactor exceeded its memory limit of ${toMebibytes(limits.memoryBytes)} MiB.`,
  // A cycle, a BigInt, a function, a getter that throws.
  'not-json': ({ detail }: FailureDetails) =>
    `The reactor returned a value that is not JSON${detail ? `: ${detail}` : ''}.`,
  'output-too-large': ({ limits }: FailureDetails) =>
    `The reactor returned more than ${toMebibytes(limits.outputBytes)} MiB.`,
  'too-deep': ({ limits }: FailureDetails) =>
    `Reactors called each other more than ${limits.depth} levels deep.`,
  busy: ({ timeoutMs }: FailureDetails) => `No sandbox instance became free within ${timeoutMs} ms.`,
  // The caller's signal fired, or the sandbox was closed.
  cancelled: () => 'The invocation was cancelled.',
  crashed: () => 'The sandbox instance that ran the reactor exited unexpectedly.',
};

export type RuntimeFailure = keyof typeof FAILURES;

const toMebibytes = (bytes: number): number => Math.round((bytes / 1024 ** 2) * 10) / 10;

export const describeFailure = (
  kind: RuntimeFailure,
  details: FailureDetails,
): { kind: RuntimeFailure; message: string } => ({ kind, message: FAILURES[kind](details) });

/** The code does not parse or exports no function: 422 (decisions.md, "Status codes"). */
export type LoadError = { kind: 'load-error'; message: string; position?: Position };

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
