import { LIMITS } from '../../../src/contract/limits.js';
import { findTextFault, JSON_FAULT_MESSAGES } from '../../lib/json-bounds.js';
import type { ConsoleEntry } from '../invocation.js';
import type { SandboxLimits } from '../limits.js';
import { hasLongHost } from '../network/address.js';
import { MAX_CONNECTION_LENGTH } from '../network/connection-options.js';
import type { HttpRequest } from '../network/http-client.js';
import type { RequestReport } from '../network/request-report.js';
import { VisibleError } from '../outcome.js';
import type { CallFailure } from '../protocol.js';

/** Unexpected errors of the host that one invocation logs. Code that causes one may do so in a loop. */
const LOGGED_ERRORS = 10;

type Entry = Pick<ConsoleEntry, 'level' | 'message'>;

/** Bounds what one invocation sends to the main thread besides its result. */
export class MessageLimits {
  #consoleEntries = 0;
  #consoleLength = 0;
  #reports = 0;
  #reportsLength = 0;
  #reportedBytes = 0;
  #errors = 0;

  constructor(private readonly limits: SandboxLimits) {}

  /** Truncates an entry. The first one past a limit is replaced by a notice. @returns undefined for those after it */
  consoleEntry({ level, message }: Entry): Entry | undefined {
    const { consoleEntries, consoleEntryLength, consoleLength } = this.limits;
    if (this.#consoleEntries > consoleEntries) return undefined;
    const text =
      message.length > consoleEntryLength ? `${message.slice(0, consoleEntryLength)}… (truncated)` : message;
    this.#consoleLength += text.length;
    const isFull = this.#consoleEntries === consoleEntries;
    if (!isFull && this.#consoleLength <= consoleLength) {
      this.#consoleEntries += 1;
      return { level, message: text };
    }
    this.#consoleEntries = consoleEntries + 1;
    const limit = isFull ? `${consoleEntries} entries` : `${consoleLength} characters`;
    return {
      level: 'warn',
      message: `Further console output of this invocation was dropped (limit: ${limit}).`,
    };
  }

  mayLogError(): boolean {
    return ++this.#errors <= LOGGED_ERRORS;
  }

  /** Truncates a report; once the reports are too long in total, to its outline. @returns undefined if there are too many */
  report(report: RequestReport): RequestReport | undefined {
    const { fetches, reportedTextLength, reportsLength } = this.limits;
    if (++this.#reports > fetches) return undefined;
    const { requestBytes, ...texts } = report;
    const cut = cutReport(texts, this.limits);
    this.#reportsLength += JSON.stringify(cut).length;
    if (this.#reportsLength <= reportsLength) return { ...cut, ...this.#cutBytes(requestBytes) };
    const { requestBody, responseBody, ...outline } = cut;
    const url = outline.url.slice(0, reportedTextLength / 16);
    return { ...outline, url, requestHeaders: {}, responseHeaders: {} };
  }

  #cutBytes(bytes: Uint8Array | undefined): { requestBytes?: Uint8Array } {
    const { reportedBodyBytes: most } = this.limits;
    const left = Math.min(most, 10 * most - this.#reportedBytes);
    if (bytes === undefined || left <= 0) return {};
    const requestBytes = bytes.slice(0, left);
    this.#reportedBytes += requestBytes.length;
    return { requestBytes };
  }
}

function cutReport(report: RequestReport, limits: SandboxLimits): RequestReport {
  const { fetchMethodLength, reportedTextLength } = limits;
  const { error, requestBody, responseBody } = report;
  const cut = (text: string) => String(text).slice(0, reportedTextLength);
  return {
    ...report,
    method: String(report.method).slice(0, fetchMethodLength),
    url: cut(report.url),
    requestHeaders: cutHeaders(report.requestHeaders, limits),
    responseHeaders: cutHeaders(report.responseHeaders, limits),
    ...(error !== undefined && { error: cut(error) }),
    ...(requestBody !== undefined && { requestBody: cut(requestBody) }),
    ...(responseBody !== undefined && { responseBody: cut(responseBody) }),
  };
}

/** Keeps as many headers as a request may have, and the start of their values. */
export function cutHeaders(
  headers: Readonly<Record<string, string>>,
  { fetchHeaders, headerNameLength, reportedTextLength }: SandboxLimits,
): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name.length <= headerNameLength);
  return Object.fromEntries(
    kept.slice(0, fetchHeaders).map(([name, value]) => [name, value.slice(0, reportedTextLength)]),
  );
}

/** More than of a body, for the array of arguments and the id of a token. */
const PARAMS_BOUNDS = { levels: LIMITS.bodyDepth + 1, values: LIMITS.bodyValues + 2 };

/** Checks a `svc` call as the main thread will check it again, so that nothing larger leaves the worker. */
export function findSvcFault(method: string, params: string, limits: SandboxLimits): CallFailure | undefined {
  if (typeof method !== 'string' || method.length > limits.svcMethodLength)
    return { message: 'svc has no such method.' };
  if (Buffer.byteLength(params) > limits.svcParamsBytes)
    return { message: `The body must be at most ${LIMITS.bodyBytes} bytes.`, status: 413 };
  const fault = findTextFault(params, PARAMS_BOUNDS);
  if (!fault) return undefined;
  const errors = { body: [JSON_FAULT_MESSAGES[fault]] };
  return { message: 'The request is not valid; see errors.', status: 400, errors };
}

/** Checks types and sizes of a request: code may have tampered with the prelude. @throws VisibleError */
export function checkRequest(
  { method, url, headers, body, redirect, connection = {} }: HttpRequest,
  limits: SandboxLimits,
): void {
  const { fetchMethodLength, fetchUrlLength, fetchHeaders, fetchHeadersLength, fetchBodyBytes } = limits;
  if (
    typeof method !== 'string' ||
    typeof url !== 'string' ||
    !isHeaderList(headers) ||
    !REDIRECTS.has(redirect)
  )
    throw new VisibleError('The request is not valid.', 'TypeError');
  if (method.length > fetchMethodLength) throw tooLong('request method', fetchMethodLength);
  if (url.length > fetchUrlLength) throw tooLong('request URL', fetchUrlLength);
  if (hasLongHost(url)) throw new VisibleError('Invalid URL', 'TypeError', 'ERR_INVALID_URL');
  if (headers.length > fetchHeaders)
    throw new VisibleError(`The request has more than ${fetchHeaders} headers.`, 'RangeError');
  if (headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > fetchHeadersLength)
    throw tooLong('list of request headers', fetchHeadersLength);
  if (JSON.stringify(connection).length > MAX_CONNECTION_LENGTH)
    throw tooLong('list of connection options', MAX_CONNECTION_LENGTH);
  if ((body?.byteLength ?? 0) > fetchBodyBytes)
    throw new VisibleError(`The request body is longer than ${fetchBodyBytes} bytes.`, 'RangeError');
}

const REDIRECTS: ReadonlySet<unknown> = new Set<HttpRequest['redirect']>(['follow', 'error', 'manual']);

const isHeaderList = (headers: unknown): boolean =>
  Array.isArray(headers) &&
  headers.every(
    (pair) => Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === 'string'),
  );

const tooLong = (part: string, limit: number): VisibleError =>
  new VisibleError(`The ${part} is longer than ${limit} characters.`, 'RangeError');
