import type { ConnectionOptions } from '../../connection-options.js';
import { readConnectionOptions } from '../bridge/connection-options.js';
import { NetworkError, send } from '../web/fetch/fetch.js';
import { Headers } from '../web/fetch/headers.js';
import { Request, type RequestInit } from '../web/fetch/request.js';
import { Response } from '../web/fetch/response.js';
import { readNodeStream } from './node-stream-body.js';

class FetchError extends Error {
  readonly type: string;
  readonly code: string | undefined;
  readonly errno: string | undefined;

  constructor(message: string, type: string, code?: string) {
    super(message);
    this.name = 'FetchError';
    this.type = type;
    this.code = code;
    this.errno = code;
  }
}

class AbortError extends Error {
  readonly type = 'aborted';

  constructor(message: string) {
    super(message);
    this.name = 'AbortError';
  }
}

interface Init extends RequestInit {
  /** Milliseconds. */
  timeout?: number;
  /** An agent, or a function that chooses one by the URL. */
  agent?: unknown;
}

/** Unlike the global `fetch`, the package sends credentials of the URL. */
function splitCredentials(input: unknown): { url: unknown; authorization?: string } {
  if (input instanceof Request || !URL.canParse(String(input))) return { url: input };
  const url = new URL(String(input));
  const { username, password } = url;
  if (username === '' && password === '') return { url: input };
  url.username = '';
  url.password = '';
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** Redirects keep the connection options of the first request. */
function connectionOf({ url }: Request, { agent }: Init): ConnectionOptions | undefined {
  const parsed = new URL(url);
  return readConnectionOptions(parsed.protocol, {}, typeof agent === 'function' ? agent(parsed) : agent);
}

/** `require('node-fetch')`, version 2. */
async function nodeFetch(input: unknown, init: Init = {}): Promise<Response> {
  const controller = new AbortController();
  const signal = init.signal as AbortSignal | null | undefined;
  const abort = () => controller.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const timer = init.timeout ? setTimeout(abort, init.timeout) : undefined;
  const { url, authorization } = splitCredentials(input);
  const body = await readNodeStream(init.body);
  const request = new Request(url, {
    ...init,
    ...(body !== undefined && { body }),
    signal: controller.signal as unknown as NonNullable<Init['signal']>,
  });
  if (authorization !== undefined && !request.headers.has('authorization'))
    request.headers.set('authorization', authorization);
  try {
    return await send(request, connectionOf(request, init));
  } catch (error) {
    if (signal?.aborted) throw new AbortError('The user aborted a request.');
    if (controller.signal.aborted)
      throw new FetchError(`network timeout at: ${request.url}`, 'request-timeout');
    if (!(error instanceof NetworkError)) throw error;
    const message = `request to ${request.url} failed, reason: ${error.message}`;
    throw new FetchError(message, 'system', error.code);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

export const nodeFetchModule = Object.assign(nodeFetch, {
  default: nodeFetch,
  isRedirect: (code: number): boolean => [301, 302, 303, 307, 308].includes(code),
  AbortError,
  FetchError,
  Headers,
  Request,
  Response,
});
