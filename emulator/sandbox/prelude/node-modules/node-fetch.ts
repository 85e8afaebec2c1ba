import { NetworkError, send } from '../web/fetch/fetch.js';
import { Headers } from '../web/fetch/headers.js';
import { Request, type RequestInit } from '../web/fetch/request.js';
import { Response } from '../web/fetch/response.js';

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
}

/** `require('node-fetch')`, version 2. */
async function nodeFetch(input: unknown, init: Init = {}): Promise<Response> {
  const controller = new AbortController();
  const signal = init.signal as AbortSignal | null | undefined;
  const abort = () => controller.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const timer = init.timeout ? setTimeout(abort, init.timeout) : undefined;
  const request = new Request(input, {
    ...init,
    signal: controller.signal as unknown as NonNullable<Init['signal']>,
  });
  try {
    return await send(request);
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
