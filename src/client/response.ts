import { PROBLEM_CONTENT_TYPE } from '../contract/headers.js';
import { isObject, jsonOf } from '../contract/json.js';
import type { Problem } from '../contract/problems.js';
import { ProtocolError, ServiceError } from './errors.js';
import { parseRetryAfter } from './retry.js';
import type { TransportResponse } from './transport.js';

/** A successful answer. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Parsed; undefined when there was none. */
  body: unknown;
}

/** The error of an answer, whoever gave it: the service, or something before it that knows no problem details. */
export function toServiceError(response: TransportResponse, traceHeader: string, now: number): ServiceError {
  const { status, headers } = response;
  const body = jsonOf(response.body);
  // Another server's error page is not repeated: nobody knows what it holds.
  const known = isObject(body) && (headers['content-type'] ?? '').startsWith(PROBLEM_CONTENT_TYPE);
  const problem: Partial<Problem> = known ? body : {};
  return new ServiceError(
    status,
    { ...problem, title: problem.title ?? `HTTP ${status}` },
    headers[traceHeader.toLowerCase()] ?? problem.instance,
    parseRetryAfter(headers['retry-after'], now),
  );
}

/** @throws {ProtocolError} when the body is no JSON. */
export function toAnswer(response: TransportResponse, url: string): Answer {
  const { status, headers } = response;
  if (response.body === '') return { status, headers, body: undefined };
  const body = jsonOf(response.body);
  if (body === undefined)
    throw new ProtocolError(`${url} answered ${status} with something that is not JSON.`);
  return { status, headers, body };
}
