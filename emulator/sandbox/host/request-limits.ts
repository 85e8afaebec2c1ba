import { MAX_CONNECTION_LENGTH } from '../connection-options.js';
import type { SandboxLimits } from '../limits.js';
import { hasLongHost } from '../network/host-length.js';
import type { HttpRequest } from '../network/http-message.js';
import { VisibleError } from '../visible-error.js';

/**
 * Checks types and sizes of a request of reactor code, before anything else sees it. Its types are not what TypeScript
 * believes, because reactor code may have tampered with the prelude.
 * @throws VisibleError if a part is missing or too long
 */
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
