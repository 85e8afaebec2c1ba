import { DEFAULT_LIMITS } from '../../limits.js';
import type { ConnectionOptions } from '../../network/connection-options.js';
import { CONNECTION, createUnsupportedError } from '../bridge/connection-options.js';
import { type HostError, startCall } from '../bridge/host.js';
import { Body, extractBody } from './body.js';
import type { AbortSignal } from './events.js';
import { Headers } from './headers.js';
import { URL, type UrlPart } from './url.js';

interface RequestInit {
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: unknown;
  redirect?: 'follow' | 'error' | 'manual';
  signal?: AbortSignal | null;
}

const NORMALIZED = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'];
const FORBIDDEN = ['CONNECT', 'TRACE', 'TRACK'];

function normalizeMethod(method: string): string {
  // The host checks this too. Here it saves the copies.
  const { fetchMethodLength: longest } = DEFAULT_LIMITS;
  if (method.length > longest)
    throw new TypeError(`The request method is longer than ${longest} characters.`);
  const upper = method.toUpperCase();
  if (FORBIDDEN.includes(upper)) throw new TypeError(`'${method}' HTTP method is unsupported.`);
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method))
    throw new TypeError(`'${method}' is not a valid HTTP method.`);
  return NORMALIZED.includes(upper) ? upper : method;
}

/** The global `Request`. */
export class Request extends Body {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly redirect: 'follow' | 'error' | 'manual';
  readonly signal: AbortSignal | null;
  constructor(input: unknown, given?: RequestInit | null) {
    const init = given ?? {};
    const from = input instanceof Request ? input : undefined;
    const method = normalizeMethod(init.method ?? from?.method ?? 'GET');
    const { content, type } =
      init.body === undefined && from ? { content: from.copyContent(), type: null } : extractBody(init.body);
    if (content && (method === 'GET' || method === 'HEAD')) {
      throw new TypeError('Request with GET/HEAD method cannot have body.');
    }
    super(content);
    this.url = from ? from.url : toUrl(input);
    this.method = method;
    this.headers = new Headers(init.headers ?? from?.headers);
    if (type !== null && !this.headers.has('content-type')) this.headers.set('content-type', type);
    this.redirect = init.redirect ?? from?.redirect ?? 'follow';
    this.signal = init.signal ?? from?.signal ?? null;
  }

  clone(): Request {
    return new Request(this);
  }
}

function toUrl(input: unknown): string {
  const url = new URL(typeof input === 'object' && input !== null && 'href' in input ? input.href : input);
  const { username, password, host } = url as URL & Record<UrlPart, string>;
  if (username !== '' || password !== '')
    throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${host}`);
  return url.toString();
}

interface ResponseInit {
  status?: number;
  statusText?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
}

/** Statuses of responses without a body (Fetch standard, "null body status"). */
const NULL_BODY_STATUSES = [101, 204, 205, 304];

/** The global `Response`. */
export class Response extends Body {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly type = 'default';
  url = '';
  redirected = false;

  constructor(body?: unknown, init?: ResponseInit | null) {
    const { status = 200, statusText = '', headers } = init ?? {};
    const { content, type } = extractBody(body);
    if (!(status >= 200 && status <= 599))
      throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    if (content && NULL_BODY_STATUSES.includes(status))
      throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    super(content);
    this.status = status;
    this.statusText = statusText;
    this.headers = new Headers(headers);
    if (type !== null && !this.headers.has('content-type')) this.headers.set('content-type', type);
  }

  static json(data: unknown, init?: ResponseInit): Response {
    if (init === null) throw new TypeError('Response.json: init must be an object.');
    const headers = new Headers(init?.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return new Response(JSON.stringify(data), { ...init, headers });
  }

  static error(): Response {
    const response = new Response(null);
    return Object.assign(response, { status: 0, type: 'error' });
  }

  static redirect(url: unknown, status = 302): Response {
    if (![301, 302, 303, 307, 308].includes(status)) throw new RangeError(`Invalid status code ${status}`);
    return new Response(null, { status, headers: { location: String(new URL(url as string)) } });
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  clone(): Response {
    const { status, statusText, headers, url, redirected } = this;
    const copy = new Response(this.copyContent(), { statusText, headers });
    return Object.assign(copy, { status, url, redirected });
  }
}

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
