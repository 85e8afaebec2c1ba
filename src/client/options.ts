import type { Connection, ServiceTarget } from './connection.js';
import type { ClientHooks } from './hooks.js';

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
