import { Body, extractBody } from './body.js';
import { Headers } from './headers.js';

interface ResponseInit {
  status?: number;
  statusText?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
}

export class Response extends Body {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly type = 'default';
  url = '';
  redirected = false;

  constructor(body?: unknown, init: ResponseInit = {}) {
    const { bytes, type } = extractBody(body);
    super(bytes);
    this.status = init.status ?? 200;
    this.statusText = init.statusText ?? '';
    this.headers = new Headers(init.headers);
    if (type !== null && !this.headers.has('content-type')) this.headers.set('content-type', type);
  }

  static json(data: unknown, init: ResponseInit = {}): Response {
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return new Response(JSON.stringify(data), { ...init, headers });
  }

  static error(): Response {
    return new Response(null, { status: 0 });
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  clone(): Response {
    const { status, statusText, headers, url, redirected } = this;
    const copy = new Response(this.copyBytes(), { status, statusText, headers });
    return Object.assign(copy, { url, redirected });
  }
}
