import { PROBLEMS } from '../contract/problems.js';
import { type ConnectionError, ServiceError } from './errors.js';
import type { RequestOptions } from './request.js';

const RETRIES = 3;
const MAX_RETRY_AFTER_MS = 60_000;
const BASE_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** The connection broke; whether the request arrived is not known. */
const RESET_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whether repeating a request may help and does no harm, since writes have an idempotency key; cli.md, Failure. */
export function isRetryable(error: ServiceError | ConnectionError): boolean {
  if (!(error instanceof ServiceError)) return RESET_CODES.has(error.code);
  const { status } = error;
  if (status === 409) return error.problem.title === PROBLEMS.requestInFlight.title;
  // The side effects of a reactor would run again: an idempotency key does not keep failed responses.
  if (status >= 500) return status !== 501 && !isReactorError(error);
  return status === 408 || status === 429;
}

/** Whether the service rejected a request before it carried it out. */
export function isRateLimit(error: ServiceError | ConnectionError): boolean {
  return error instanceof ServiceError && error.status === 429;
}

/** Whether a 5xx is the error of a reactor: no other one has `errors`; decided, The common error body. */
const isReactorError = ({ problem }: ServiceError): boolean =>
  problem.title === PROBLEMS.reactorRuntime.title || problem.errors !== undefined;

/** Parses a `Retry-After` header, which holds seconds or a date (RFC 9110, section 10.2.3), to seconds. @param now in milliseconds */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (!value) return undefined;
  // Of more digits than a number has, it asks for nothing.
  if (/^\d+$/.test(value)) return value.length < 16 ? Number(value) : undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * Computes the delay before a retry in milliseconds: what the service asks for, at most one minute, otherwise exponential backoff.
 * Both have jitter, so that clients that were blocked together do not return together.
 * @param attempt retries so far, from 0. @param retryAfter seconds.
 */
export function retryDelay(attempt: number, retryAfter: number | undefined, random: () => number): number {
  if (retryAfter !== undefined)
    return Math.min(retryAfter * 1000, MAX_RETRY_AFTER_MS) + Math.round(random() * BASE_DELAY_MS);
  const ceiling = Math.min(BASE_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}

export class RetryBudget {
  #failures = 0;
  #rateLimits = 0;

  constructor(
    private readonly limits: Pick<RequestOptions, 'retries' | 'rateLimitRetries'>,
    private readonly random: () => number,
  ) {}

  get used(): number {
    return this.#failures + this.#rateLimits;
  }

  /** Takes one retry. @returns the delay before it in milliseconds; undefined when the request must not be repeated. */
  take(error: ServiceError | ConnectionError): number | undefined {
    if (!isRetryable(error)) return undefined;
    const retryAfter = error instanceof ServiceError ? error.retryAfter : undefined;
    const { retries = RETRIES, rateLimitRetries } = this.limits;
    const isApart = isRateLimit(error) && rateLimitRetries !== undefined;
    const taken = isApart ? this.#rateLimits : this.#failures;
    if (taken >= (isApart ? rateLimitRetries : retries)) return undefined;
    if (isApart) this.#rateLimits++;
    else this.#failures++;
    return retryDelay(taken, retryAfter, this.random);
  }
}
