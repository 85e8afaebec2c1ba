import { Body, extractBody } from './body.js';
import { Headers } from './headers.js';

interface ResponseInit {
  status?: number;
  statusText?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
}

const LOWEST_STATUS = 200;
const HIGHEST_STATUS = 599;

/** Statuses of responses without a body (Fetch standard, "null body status"). */
export const NULL_BODY_STATUSES = [101, 204, 205, 304];

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
    if (!(status >= LOWEST_STATUS && status <= HIGHEST_STATUS))
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
