import { CONNECTION_WORDS } from '../contract/connection-words.js';
import type { Problem } from '../contract/problems.js';

/** The service responded with an error status. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    readonly status: number,
    /** The problem details of the response; only `title` is certain. */
    readonly problem: Partial<Problem> & { title: string },
    readonly traceId: string | undefined,
    readonly retryAfter?: number,
    /** The proxy that may have sent the response, which has no problem details. */
    readonly proxy?: string,
  ) {
    super(problem.detail || problem.title);
  }
}

const through = (proxy?: string) => (proxy === undefined ? '' : ` through the proxy ${proxy}`);

/** OpenSSL's words for an answer that is not TLS. */
const PLAIN_ANSWER = /wrong version number|packet length too long|http request/i;

function describeConnectionError(url: string, code: string, cause: unknown): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, hostname, protocol } = new URL(url);
  if (protocol === 'https:' && cause instanceof Error && PLAIN_ANSWER.test(cause.message))
    return `${host} answers plain http, not https. Use http://${host}`;
  return CONNECTION_WORDS[code]?.(host, hostname);
}

/** There is no response: the host is unknown, nothing listens on the port, or the connection broke. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    readonly url: string,
    /** Node's code, e.g. `ECONNREFUSED`. */
    readonly code: string,
    cause: unknown,
    /** Host and port of the proxy in between. */
    readonly proxy?: string,
  ) {
    const words = proxy === undefined ? describeConnectionError(url, code, cause) : undefined;
    super(words ?? `${url} cannot be reached${through(proxy)}: ${code}.`, { cause });
  }
}

/** An attempt took longer than the timeout. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';

  constructor(
    readonly url: string,
    readonly timeoutMs: number,
    /** Host and port of the proxy in between. */
    readonly proxy?: string,
  ) {
    super(`${url} did not answer${through(proxy)} within ${timeoutMs / 1000} s.`);
  }
}

/** The response of a successful call does not follow the contract. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
