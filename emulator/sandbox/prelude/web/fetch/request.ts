import type { UrlPart } from '../../../host/url-parts.js';
import { MAX_METHOD_LENGTH } from '../../../limits.js';
import type { AbortSignal } from '../events.js';
import { URL } from '../url.js';
import { Body, extractBody } from './body.js';
import { Headers } from './headers.js';

export interface RequestInit {
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
  if (method.length > MAX_METHOD_LENGTH)
    throw new TypeError(`The request method is longer than ${MAX_METHOD_LENGTH} characters.`);
  const upper = method.toUpperCase();
  if (FORBIDDEN.includes(upper)) throw new TypeError(`'${method}' HTTP method is unsupported.`);
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method))
    throw new TypeError(`'${method}' is not a valid HTTP method.`);
  return NORMALIZED.includes(upper) ? upper : method;
}

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
