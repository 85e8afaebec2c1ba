import type { ConnectionOptions } from '../../../connection-options.js';
import { startCall } from '../../bridge/async-calls.js';
import { CONNECTION, createUnsupportedError } from '../../bridge/connection-options.js';
import type { HostError } from '../../bridge/host.js';
import { getHost } from '../../bridge/host-bridge.js';
import { Request, type RequestInit } from './request.js';
import { NULL_BODY_STATUSES, Response } from './response.js';

interface ResponseHead {
  url: string;
  redirected: boolean;
  status: number;
  statusText: string;
  headers: [string, string][];
}

/** Sends a request through the host. @throws NetworkError if there is no response, or the signal's reason */
export async function send(request: Request, connection?: ConnectionOptions): Promise<Response> {
  const { url, method, headers, redirect, signal } = request;
  signal?.throwIfAborted();
  const payload = request.hasBody ? await request.arrayBuffer() : undefined;
  const input = { url, method, redirect, headers: [...withDefaults(headers)], connection };
  const { id, response } = startCall(getHost(), 'fetch', input, payload);
  const cancel = () => getHost().cancelCall(id);
  signal?.addEventListener('abort', cancel);
  const { ok, value, bytes } = await response;
  signal?.removeEventListener('abort', cancel);
  if (signal?.aborted) throw signal.reason;
  if (!ok) throw new NetworkError(value as HostError);
  const { status, statusText, headers: received, ...rest } = value as ResponseHead;
  const body = NULL_BODY_STATUSES.includes(status) ? null : (bytes ?? new ArrayBuffer(0));
  return Object.assign(new Response(body, { statusText, headers: received }), { status, ...rest });
}

/** A request that got no response. Each client converts it to an error of its own. */
export class NetworkError extends Error {
  readonly code: string | undefined;

  constructor({ message, code }: HostError) {
    super(message);
    this.code = code;
  }
}

function* withDefaults(headers: Request['headers']): Iterable<[string, string]> {
  if (!headers.has('accept')) yield ['accept', '*/*'];
  if (!headers.has('accept-encoding')) yield ['accept-encoding', 'gzip, deflate, br'];
  yield* headers;
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
  try {
    return await send(new Request(input, init), init?.[CONNECTION]);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw Object.assign(failure, { cause: error });
  }
}
