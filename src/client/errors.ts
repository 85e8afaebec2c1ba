import type { Problem } from '../contract/problems.js';

/** The service answered with an error. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    readonly status: number,
    /** The problem details of the answer; only `status` and `title` are certain. */
    readonly problem: Partial<Problem> & { title: string },
    readonly traceId: string | undefined,
    /** Seconds, of a 429. */
    readonly retryAfter?: number,
  ) {
    super(problem.detail || problem.title);
  }
}

/** No answer came: the name is unknown, nothing listens there, or the connection broke. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    readonly url: string,
    /** Node's code, e.g. `ECONNREFUSED`. */
    readonly code: string,
    cause: unknown,
  ) {
    super(`${url} cannot be reached: ${code}.`, { cause });
  }
}

/** One attempt took longer than the timeout. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';

  constructor(
    readonly url: string,
    readonly timeoutMs: number,
  ) {
    super(`${url} did not answer within ${timeoutMs / 1000} s.`);
  }
}

/** The answer of a successful call is not what the service promises. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
