import { PROBLEM_CONTENT_TYPE } from '../contract/headers.js';
import { isObject, jsonOf } from '../contract/json.js';
import type { OperationRow } from '../contract/operation-row.js';
import type { Problem } from '../contract/problems.js';
import { ProtocolError, ServiceError } from './errors.js';
import { parseRetryAfter } from './retry.js';
import type { TransportResponse } from './transport.js';

export interface ClientResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Parsed JSON, or text from the destination of a proxy; undefined when the response has no body. */
  body: unknown;
}

/** Converts a failed response, which may be that of a proxy. @param now for a `Retry-After` that is a date */
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

/** Parses a body. @param isRelayed by a proxy: it need not be JSON @throws {ProtocolError} it must be, and is not */
export function parseResponse(
  { status, headers, body: text }: TransportResponse,
  url: string,
  isRelayed = false,
): ClientResponse {
  const json = text === '' ? undefined : jsonOf(text);
  if (json !== undefined || text === '') return { status, headers, body: json };
  if (isRelayed) return { status, headers, body: text };
  throw new ProtocolError(`${url} responded ${status} with a body that is not JSON.`);
}

/** Checks what callers rely on: an object, a list or a page. @throws {ProtocolError} names the property that is not */
export function assertShape(row: OperationRow, { body }: ClientResponse, url: string): void {
  if (body === undefined || row.success.every((status) => status === 204)) return;
  const fault = faultOf(row, body);
  if (fault !== undefined)
    throw new ProtocolError(`${url} responded to ${row.method} ${row.path} with a body ${fault}.`);
}

function faultOf({ returns = 'object' }: OperationRow, body: unknown): string | undefined {
  if (returns === 'any') return undefined;
  if (returns === 'list') return Array.isArray(body) ? undefined : 'that is not a list';
  if (!isObject(body)) return 'that is not an object';
  if (returns === 'object') return undefined;
  const { data, pagination } = body;
  if (!Array.isArray(data)) return 'whose data is not a list';
  const index = data.findIndex((item) => !isObject(item) || typeof item.id !== 'string');
  if (index >= 0) return `whose data.${index}.id is not a string`;
  if (!isObject(pagination)) return 'whose pagination is not an object';
  if (returns === 'page' && typeof pagination.total_items !== 'number')
    return 'whose pagination.total_items is not a number';
  return undefined;
}
