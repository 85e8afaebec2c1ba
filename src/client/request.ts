import { type Method, type OperationRow, type RequestParts, requestOf } from '../contract/operation-row.js';
import type { OperationId } from '../contract/operations.js';
import type { KeyNeed } from '../contract/permissions.js';
import type { OperationParts } from '../contract/schemas/index.js';
import type { Connection, ServiceTarget } from './connection.js';
import type { ConnectionError, ServiceError } from './errors.js';

/** A request before it has a base URL and a key. */
export interface RawRequest {
  method: Method;
  /** With the query. */
  path: string;
  /** Selects the key to send; `null` when any key is accepted. */
  permission: KeyNeed;
  /** Serialized JSON. */
  body?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Identifies a POST, PUT or PATCH across its retries; a random UUID by default. */
  idempotencyKey?: string | undefined;
  /** Marks a request that its user has not asked for, such as a lookup of names. Emulators leave it out of their logs. */
  background?: boolean | undefined;
  /** Milliseconds for one attempt; the client's by default. */
  timeoutMs?: number | undefined;
  /** Once it is sent, the signal of the client does not abort it: its response is awaited. */
  uninterrupted?: boolean | undefined;
  /** Runs before the request is repeated, unless the service was only busy. What it throws ends the request. */
  beforeRetry?: (() => Promise<void>) | undefined;
}

/** What the input of a call says about how it is sent. */
type SendOptions = Pick<
  RawRequest,
  'background' | 'idempotencyKey' | 'timeoutMs' | 'headers' | 'uninterrupted' | 'beforeRetry'
>;

/** The input of one call: query, and path parameters and body where the operation has them. */
export type CallInput<Id extends OperationId> = OperationParts<Id> & SendOptions;

/** The input as arguments: optional when the operation has neither path parameters nor a body. */
export type CallArguments<Id extends OperationId> =
  Record<never, never> extends CallInput<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id>];

/** Builds the request of an operation. @throws {PathParameterError} see `buildPath`. */
export function buildRequest(row: OperationRow, input: RequestParts & SendOptions): RawRequest {
  const { path, query, body, ...options } = input;
  const request = requestOf(row, { path, query, body });
  const headers = { ...request.headers, ...options.headers };
  return { ...options, ...request, headers, permission: row.permission };
}

/** One attempt, for logs: never a header, query or body. */
export interface Attempt {
  method: string;
  url: string;
  /** The status of the response, or the code of the connection error. */
  status: number | string;
  durationMs: number;
  traceId?: string | undefined;
  /** The header `Sunset` of a response to what is deprecated. */
  sunset?: string | undefined;
  /** Milliseconds until the next attempt; undefined when there is none. */
  retryInMs?: number | undefined;
}

/** A failed attempt that the client is about to repeat. */
export interface Retry {
  /** As it was sent, the idempotency key included. */
  request: RawRequest;
  /** The failure of the last attempt. */
  error: ServiceError | ConnectionError;
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
  /** Retries after a 429, counted apart; one then holds back every request. Left out, they count among `retries`. */
  rateLimitRetries?: number | undefined;
  hooks?: ClientHooks | undefined;
  /** Aborts the requests in flight and every later one. */
  signal?: AbortSignal | undefined;
  userAgent?: string | undefined;
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
