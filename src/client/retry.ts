import type { Method } from '../contract/operation.js';
import { PROBLEMS, type Problem } from '../contract/problems.js';

/** Tries after the first. */
export const RETRIES = 3;
const MAX_RETRY_AFTER_MS = 60_000;
const BASE_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** The connection broke; whether the request arrived is not known. */
const RESET_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** What came of one attempt. */
export type Outcome = Answered | { code: string };
type Answered = { status: number } & Partial<Pick<Problem, 'title' | 'errors'>>;

/** Whether trying again may help, and does no harm. */
export function isRetryable(outcome: Outcome, method: Method, hasIdempotencyKey: boolean): boolean {
  // A POST whose answer was lost may have been carried out.
  if (method === 'POST' && !hasIdempotencyKey) return false;
  if ('code' in outcome) return RESET_CODES.has(outcome.code);
  const { status } = outcome;
  if (status === 409) return outcome.title === PROBLEMS.requestInFlight.title;
  // A reactor's side effects would run again: a failed answer is not kept under the idempotency key.
  if (status >= 500) return !isOfReactor(outcome);
  return status === 408 || status === 429;
}

/** Whether a 5xx is the error of a reactor, be it thrown with a status: no other has `errors` (decisions.md). */
function isOfReactor({ title, errors }: Answered): boolean {
  return title === PROBLEMS.reactorRuntime.title || errors !== undefined;
}

/** Seconds of a `Retry-After` header, which holds either a number of them or a date. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * Milliseconds until the next try: what the service asks for, up to a minute, else exponential backoff.
 * Jitter on both, so that many clients that were blocked together do not come back together.
 */
export function retryDelay(attempt: number, retryAfter: number | undefined, random: () => number): number {
  if (retryAfter !== undefined)
    return Math.min(retryAfter * 1000, MAX_RETRY_AFTER_MS) + Math.round(random() * BASE_DELAY_MS);
  const ceiling = Math.min(BASE_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}
