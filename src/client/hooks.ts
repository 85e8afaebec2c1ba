import type { ConnectionError, ServiceError } from './errors.js';
import type { RawRequest } from './request.js';

/** A failed attempt that the client is about to repeat. */
export interface Retry {
  /** As it was sent, the idempotency key included. */
  request: RawRequest;
  /** The failure of the last attempt. */
  error: ServiceError | ConnectionError;
  /** Number of the retry, from 1. */
  retryCount: number;
  /** Milliseconds between the failure and the next attempt. */
  delayMs: number;
}

/** Callbacks around the retries of a client. What a hook throws ends the call and is thrown to the caller. */
export interface ClientHooks {
  /** Runs after the delay, right before the next attempt, which waits for a returned promise. */
  beforeRetry?: ((retry: Retry) => void | Promise<void>) | undefined;
  /** Runs before the delay when the service responded 429 and the request will be repeated. */
  onRateLimited?: ((retry: Retry) => void) | undefined;
}
