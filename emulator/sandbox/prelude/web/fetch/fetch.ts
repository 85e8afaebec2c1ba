import type { ConnectionOptions } from '../../../connection-options.js';
import { CONNECTION, createUnsupportedError } from '../../bridge/connection-options.js';
import type { HostError } from '../../bridge/host.js';
import { startCall } from '../../bridge/host-bridge.js';
import { Request, type RequestInit } from './request.js';
import { NULL_BODY_STATUSES, Response } from './response.js';

interface ResponseHead {
  url: string;
  redirected: boolean;
  status: number;
  statusText: string;
  headers: [string, string][];
}

/** Arguments of `fetch` beyond the standard. */
interface FetchInit extends RequestInit {
  [CONNECTION]?: ConnectionOptions | undefined;
  /** In Node.js, undici's way to set options of the connection. */
  dispatcher?: unknown;
}

/** The global `fetch`. */
export async function fetch(input: unknown, init?: FetchInit): Promise<Response> {
  if (init?.dispatcher) throw createUnsupportedError('the option dispatcher');
  // Created here, where its stack still contains the code that called.
  const failure = new TypeError('fetch failed');
  const request = new Request(input, init);
  const { url, method, headers, redirect, signal } = request;
  signal?.throwIfAborted();
  const payload = request.hasBody ? await request.arrayBuffer() : undefined;
  const head = { url, method, redirect, headers: [...withDefaults(headers)], connection: init?.[CONNECTION] };
  const { response, cancel } = startCall('fetch', head, payload);
  signal?.addEventListener('abort', cancel);
  const { ok, value, bytes } = await response;
  signal?.removeEventListener('abort', cancel);
  if (signal?.aborted) throw signal.reason;
  if (!ok) throw Object.assign(failure, { cause: toNetworkError(value as HostError) });
  return toResponse(value as ResponseHead, bytes);
}

function* withDefaults(headers: Request['headers']): Iterable<[string, string]> {
  if (!headers.has('accept')) yield ['accept', '*/*'];
  if (!headers.has('accept-encoding')) yield ['accept-encoding', 'gzip, deflate, br'];
  yield* headers;
}

const toNetworkError = ({ message, code }: HostError): Error =>
  Object.assign(new Error(message), code !== undefined && { code });

function toResponse({ status, statusText, headers, ...rest }: ResponseHead, bytes?: ArrayBuffer): Response {
  const body = NULL_BODY_STATUSES.includes(status) ? null : (bytes ?? new ArrayBuffer(0));
  return Object.assign(new Response(body, { statusText, headers }), { status, ...rest });
}
