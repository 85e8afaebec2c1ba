/** The default prefix of the service's headers; spec, Authentication. */
export const DEFAULT_HEADER_PREFIX = 'SVC';

export const HEADER_PREFIX = /^[\w-]+$/;
export const HEADER_PREFIX_RULE = 'must consist of letters, digits, - and _, such as SVC';

/** What follows the prefix in the names of the service's own headers. */
const SUFFIXES = {
  /** The API key of the calling application; spec, Authentication. */
  apiKey: 'API-KEY',
  /** The trace ID, on every response; a request may set it. */
  traceId: 'TRACE-ID',
  /** Makes a repeated POST, PUT or PATCH safe. */
  idempotencyKey: 'IDEMPOTENCY-KEY',
  /** On a 202 of react and on its callback. */
  requestId: 'REQUEST-ID',
  /** On a request through a configured proxy: the key of the proxy. */
  proxyKey: 'PROXY-KEY',
  /** On a request through an ephemeral proxy: the URL of the destination. */
  proxyUrl: 'PROXY-URL',
  /** On a response that came from the destination of a proxy: its status. */
  proxyDestinationStatus: 'PROXY-DESTINATION-STATUS',
  /** `true` on a response of a proxy that did not come from its destination. */
  proxyError: 'PROXY-ERROR',
  /** On a page of the audit log: the time from which on it has every entry. Older ones may have been dropped. */
  logCompleteFrom: 'LOG-COMPLETE-FROM',
  /** `true` on a request that the CLI sends for its own sake. An emulator leaves it out of logs and counters. */
  background: 'BACKGROUND',
  /** On a callback: `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`. */
  signature: 'SIGNATURE',
  /** `2` on an event whose signature is RSA-PSS in base64. */
  signatureVersion: 'SIGNATURE-VERSION',
};

export type HeaderNames = { [Name in keyof typeof SUFFIXES]: string };

/** Returns the header names with a prefix: `SVC` → `SVC-API-KEY`. */
export function headerNames(prefix: string = DEFAULT_HEADER_PREFIX): HeaderNames {
  const names = Object.entries(SUFFIXES).map(([name, suffix]) => [name, `${prefix}-${suffix}`]);
  return Object.fromEntries(names) as HeaderNames;
}

export const MERGE_PATCH_CONTENT_TYPE = 'application/merge-patch+json';
export const JSON_CONTENT_TYPE = 'application/json';
export const PROBLEM_CONTENT_TYPE = 'application/problem+json';
