import { headerNames } from '../contract/headers.js';
import type { Connection } from './connection.js';
import { ConnectionError, TimeoutError } from './errors.js';
import type { RequestOptions } from './options.js';
import type { RawRequest } from './request.js';
import type { TransportResponse } from './transport.js';

const DEFAULT_TIMEOUT_MS = 60_000;

function requestHeaders(
  { permission, idempotencyKey, headers }: RawRequest,
  { headerPrefix, apiKey }: Connection,
  userAgent: string | undefined,
): Record<string, string> {
  const names = headerNames(headerPrefix);
  const key = apiKey(permission);
  return {
    accept: 'application/json',
    ...(userAgent && { 'user-agent': userAgent }),
    ...(key && { [names.apiKey]: key }),
    ...(idempotencyKey && { [names.idempotencyKey]: idempotencyKey }),
    ...headers,
  };
}

/**
 * Sends a request once.
 * @param interrupted aborts the attempt.
 * @returns the response, whatever its status, or the error of a connection that broke.
 * @throws {TimeoutError} or the reason of the signal.
 */
export async function sendOnce(
  request: RawRequest,
  connection: Connection,
  { userAgent, ...options }: RequestOptions,
  interrupted: AbortSignal,
): Promise<TransportResponse | ConnectionError> {
  const { transport } = connection;
  const { method, path, body } = request;
  const headers = requestHeaders(request, connection, userAgent);
  const timeoutMs = request.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([interrupted, timeout]);
  try {
    return await transport.send({ method, path, headers, body, signal });
  } catch (error) {
    interrupted.throwIfAborted();
    if (timeout.aborted) throw new TimeoutError(transport.url, timeoutMs, transport.proxy);
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string') throw error;
    return new ConnectionError(transport.url, code, error, transport.proxy);
  }
}
