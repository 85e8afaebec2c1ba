/** The default prefix of the service's headers; spec, Authentication. */
export const DEFAULT_HEADER_PREFIX = 'SVC';

/** Texts that header names can begin with. */
export const HEADER_PREFIX = /^[\w-]+$/;
export const HEADER_PREFIX_RULE = 'must consist of letters, digits, - and _, such as SVC';

/** The names of the service's own headers. */
export interface HeaderNames {
  /** The API key of the calling application; spec, Authentication. */
  apiKey: string;
  /** The trace ID, on every response; a request may set it. */
  traceId: string;
  /** Makes a repeated POST, PUT or PATCH safe. */
  idempotencyKey: string;
  /** On a 202 of react and on its callback. */
  requestId: string;
  /** On a request through a configured proxy: the key of the proxy. */
  proxyKey: string;
  /** On a request through an ephemeral proxy: the URL of the destination. */
  proxyUrl: string;
  /** On a response that came from the destination of a proxy: its status. */
  proxyDestinationStatus: string;
  /** `true` on a response of a proxy that did not come from its destination. */
  proxyError: string;
  /** On a page of the audit log: the time from which on it has every entry. Older ones may have been dropped. */
  logCompleteFrom: string;
  /** On a callback: `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`. */
  signature: string;
}

/** Returns the header names with a prefix: `SVC` → `SVC-API-KEY`. */
export function headerNames(prefix: string = DEFAULT_HEADER_PREFIX): HeaderNames {
  return {
    apiKey: `${prefix}-API-KEY`,
    traceId: `${prefix}-TRACE-ID`,
    idempotencyKey: `${prefix}-IDEMPOTENCY-KEY`,
    requestId: `${prefix}-REQUEST-ID`,
    proxyKey: `${prefix}-PROXY-KEY`,
    proxyUrl: `${prefix}-PROXY-URL`,
    proxyDestinationStatus: `${prefix}-PROXY-DESTINATION-STATUS`,
    proxyError: `${prefix}-PROXY-ERROR`,
    logCompleteFrom: `${prefix}-LOG-COMPLETE-FROM`,
    signature: `${prefix}-SIGNATURE`,
  };
}

export const MERGE_PATCH_CONTENT_TYPE = 'application/merge-patch+json';
export const JSON_CONTENT_TYPE = 'application/json';
export const PROBLEM_CONTENT_TYPE = 'application/problem+json';
