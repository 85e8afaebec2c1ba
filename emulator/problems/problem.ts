import { PROBLEMS, type Problem, type ProblemName, problemType } from '../../src/contract/problems.js';
import type { FieldErrors } from '../../src/contract/validation.js';

/** A problem of the contract. Throwing it anywhere ends the request with the common error body. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly status: number;
  readonly title: string;
  readonly errors?: FieldErrors;
  readonly headers?: Record<string, string>;
  /** Replaces the problem details: a reactor's `CustomHttpResponseError`. */
  readonly body?: unknown;

  constructor(
    readonly problem: ProblemName,
    detail: string,
    extra: ProblemExtra = {},
  ) {
    super(detail);
    this.status = extra.status ?? PROBLEMS[problem].status;
    this.title = extra.title ?? PROBLEMS[problem].title;
    if (extra.errors) this.errors = extra.errors;
    if (extra.headers) this.headers = extra.headers;
    if (extra.body !== undefined) this.body = extra.body;
  }
}

export interface ProblemExtra {
  /** Messages by property path. */
  errors?: FieldErrors;
  headers?: Record<string, string>;
  /** Replaces the status of the contract, for an error whose status the reactor chose. */
  status?: number;
  title?: string;
  body?: unknown;
}

/** Creates a problem. @param detail says what is accepted, never token data or a key @param errors by property path */
export function problem(name: ProblemName, detail: string, errors?: FieldErrors): ProblemError {
  return new ProblemError(name, detail, errors ? { errors } : {});
}

/** Creates a problem that the same request may not have again. @param retryAfterSeconds of the header `Retry-After` */
export function retryableProblem(name: ProblemName, detail: string, retryAfterSeconds = 1): ProblemError {
  return new ProblemError(name, detail, { headers: { 'Retry-After': String(retryAfterSeconds) } });
}

/** Creates the problem of a failed validation. Each message says what is accepted. */
export function validationProblem(errors: FieldErrors): ProblemError {
  return problem('validation', 'The request is not valid; see errors.', errors);
}

/** Builds the body of the response; decisions.md, "The common error body". */
export function problemBody(error: ProblemError, traceId: string): Problem {
  return {
    type: problemType(error.problem),
    title: error.title,
    status: error.status,
    detail: error.message,
    instance: traceId,
    ...(error.errors && { errors: error.errors }),
  };
}
