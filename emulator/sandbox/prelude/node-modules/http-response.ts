import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';

/** Headers of which Node.js keeps the first value only. */
const SINGLE = new Set([
  ...['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host'],
  ...['if-modified-since', 'if-unmodified-since', 'last-modified', 'location', 'max-forwards'],
  ...['proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent'],
]);

/** What the host reports of a response. */
export interface ResponseHead {
  status: number;
  statusText: string;
  headers: [name: string, value: string][];
}

/** A response of the client. The host has read its body already. */
export class IncomingMessage extends Readable {
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly headers: Record<string, string | string[]> = {};
  readonly rawHeaders: string[] = [];
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly trailers = {};
  readonly rawTrailers: string[] = [];
  readonly url = '';
  readonly socket: object;
  readonly connection: object;
  /** The request that this responds to. */
  req: object | undefined;
  complete = false;
  aborted = false;

  constructor(response: ResponseHead, body: Uint8Array, socket: object) {
    super();
    this.statusCode = response.status;
    this.statusMessage = response.statusText;
    this.socket = socket;
    this.connection = socket;
    for (const [name, value] of response.headers) this.#addHeader(name, value);
    if (body.length > 0) this.push(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    this.push(null);
    this.once('end', () => {
      this.complete = true;
    });
  }

  override _read(): void {}

  setTimeout(_ms: number, _listener?: () => void): this {
    return this;
  }

  #addHeader(name: string, value: string): void {
    this.rawHeaders.push(name, value);
    const known = this.headers[name];
    if (name === 'set-cookie') this.headers[name] = [...(known ?? []), value];
    else if (known === undefined) this.headers[name] = value;
    else if (!SINGLE.has(name))
      this.headers[name] = `${String(known)}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
}

/** Stands for the connection, which the host has. */
export class SocketPlaceholder extends EventEmitter {
  readonly encrypted: boolean;
  /** False also if the certificate is not checked. */
  readonly authorized: boolean;
  readonly connecting = false;
  readonly remoteAddress = undefined;

  constructor(encrypted: boolean, authorized: boolean) {
    super();
    this.encrypted = encrypted;
    this.authorized = authorized;
  }

  setKeepAlive = (): this => this;
  setNoDelay = (): this => this;
  setTimeout = (): this => this;
  ref = (): this => this;
  unref = (): this => this;
  destroy = (): this => this;
}
