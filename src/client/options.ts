import type { Connection, ServiceTarget } from './connection.js';
import type { ConnectionError, ServiceError } from './errors.js';
import type { RawRequest } from './request.js';

/** One attempt, for logs: never a header, query or body. */
export interface Attempt {
  method: string;
  url: string;
  /** The status of the response, or the code of the connection error. */
  status: number | string;
  durationMs: number;
  traceId?: string | undefined;
  /** Milliseconds until the next attempt; undefined when there is none. */
  retryInMs?: number | undefined;
}

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

/** How a client sends requests to any service. */
export interface RequestOptions {
  /** Milliseconds for one attempt, 60,000 by default. */
  timeoutMs?: number | undefined;
  /** Retries after the first attempt, 3 by default. */
  retries?: number | undefined;
  /** Retries after a 429, counted apart. Left out, they count among `retries`. */
  rateLimitRetries?: number | undefined;
  hooks?: ClientHooks | undefined;
  /** Aborts the requests in flight and every later one. */
  signal?: AbortSignal | undefined;
  userAgent?: string | undefined;
  /** Runs after every attempt. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Returns a number from 0 to 1, for the jitter of retries; `Math.random` by default. */
  random?: (() => number) | undefined;
}

/** A connection of the caller's own: another transport, or keys that are looked up when they are needed. */
export interface ConnectionSource {
  /** Called once, before the first request. */
  connect: () => Promise<Connection>;
}

export type ClientOptions = RequestOptions & (ServiceTarget | ConnectionSource);
