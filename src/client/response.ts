import { PROBLEM_CONTENT_TYPE } from '../contract/headers.js';
import { isObject, jsonOf } from '../contract/json.js';
import type { Problem } from '../contract/problems.js';
import { ProtocolError, ServiceError } from './errors.js';
import { parseRetryAfter } from './retry.js';
import type { TransportResponse } from './transport.js';

/** A successful response. */
export interface ClientResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Parsed JSON, or text from the destination of a proxy; undefined when the response has no body. */
  body: unknown;
}

/**
 * Converts a response of any status but 2xx to an error. It may come from a proxy, which sends no problem details.
 * @param traceHeader name of the header that carries the trace id.
 * @param now milliseconds since 1970, for a `Retry-After` that is a date.
 * @param proxy host and port of the proxy that the response came through.
 */
export function toServiceError(
  response: TransportResponse,
  traceHeader: string,
  now: number,
  proxy?: string,
): ServiceError {
  const { status, headers } = response;
  const body = jsonOf(response.body);
  // The error page of another server is left out: it may hold anything.
  const known = isObject(body) && (headers['content-type'] ?? '').startsWith(PROBLEM_CONTENT_TYPE);
  const problem = known ? problemOf(body) : {};
  return new ServiceError(
    status,
    { ...problem, title: problem.title ?? `HTTP ${status}` },
    headers[traceHeader.toLowerCase()] ?? problem.instance,
    parseRetryAfter(headers['retry-after'], now),
    known ? undefined : proxy,
  );
}

const TEXTS = ['type', 'title', 'detail', 'instance'] as const;

/** Takes over problem details without what is of another type: messages are shown, and nobody else checks them. */
function problemOf(body: Record<string, unknown>): Partial<Problem> {
  const { errors, ...rest } = body;
  for (const name of TEXTS) if (typeof rest[name] !== 'string') delete rest[name];
  // Errors without a message that can be read still tell the failure of a reactor from one of the service.
  return errors === undefined || errors === null ? rest : { ...rest, errors: messagesOf(errors) };
}

function messagesOf(errors: unknown): Record<string, string[]> {
  const found = Object.entries(isObject(errors) ? errors : { error: errors }).map(
    ([path, value]): [string, string[]] => [
      path,
      [value].flat().filter((message) => typeof message === 'string'),
    ],
  );
  return Object.fromEntries(found.filter(([, messages]) => messages.length > 0));
}

/** Parses what the destination of a proxy responded, which need not be JSON. */
export function parseRelayed({ status, headers, body }: TransportResponse): ClientResponse {
  return { status, headers, body: body === '' ? undefined : (jsonOf(body) ?? body) };
}

/** Parses the body of a successful response. @throws {ProtocolError} when it is not JSON. */
export function parseResponse(response: TransportResponse, url: string): ClientResponse {
  const { status, headers } = response;
  if (response.body === '') return { status, headers, body: undefined };
  const body = jsonOf(response.body);
  if (body === undefined) throw new ProtocolError(`${url} responded ${status} with a body that is not JSON.`);
  return { status, headers, body };
}
