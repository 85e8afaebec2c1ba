/** What every header of the service starts with, unless `--header-prefix` says otherwise; spec, Authentication. */
export const DEFAULT_HEADER_PREFIX = 'SVC';

/** The names of the service's own headers. */
export interface HeaderNames {
  /** Carries the API key of the calling application; spec, Authentication. */
  apiKey: string;
  /** On every response; echoed when sent. */
  traceId: string;
  /** Makes a repeated POST, PUT or PATCH safe. */
  idempotencyKey: string;
  /** On a 202 of react and on its callback. */
  requestId: string;
  /** On a callback: `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`. */
  signature: string;
}

/** The header names under a prefix, e.g. `SVC` gives `SVC-API-KEY`. */
export function headerNames(prefix: string = DEFAULT_HEADER_PREFIX): HeaderNames {
  return {
    apiKey: `${prefix}-API-KEY`,
    traceId: `${prefix}-TRACE-ID`,
    idempotencyKey: `${prefix}-IDEMPOTENCY-KEY`,
    requestId: `${prefix}-REQUEST-ID`,
    signature: `${prefix}-SIGNATURE`,
  };
}

export const MERGE_PATCH_CONTENT_TYPE = 'application/merge-patch+json';
export const JSON_CONTENT_TYPE = 'application/json';
export const PROBLEM_CONTENT_TYPE = 'application/problem+json';
