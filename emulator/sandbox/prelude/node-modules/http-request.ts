import { Writable } from 'node:stream';
import type { ConnectionOptions } from '../../network/connection-options.js';
import { readConnectionOptions } from '../bridge/connection-options.js';
import { type HostError, startCall, toArrayBuffer } from '../bridge/host.js';
import { IncomingMessage, type ResponseHead, SocketPlaceholder } from './http-response.js';

/** Options of `http.request` that the client reads. */
export interface RequestOptions {
  protocol?: string | null;
  host?: string | null;
  hostname?: string | null;
  port?: number | string | null;
  path?: string | null;
  method?: string;
  headers?: Record<string, unknown> | readonly unknown[];
  auth?: string | null;
  /** Milliseconds. */
  timeout?: number;
  signal?: AbortSignal;
  agent?: unknown;
}

export interface ParsedRequest {
  url: URL;
  options: RequestOptions;
  listener: ((response: IncomingMessage) => void) | undefined;
}

/** A request of the client. It is sent when it ends, because the host sends bodies as a whole. */
export class ClientRequest extends Writable {
  readonly method: string;
  readonly protocol: string;
  readonly host: string;
  readonly path: string;
  readonly agent = undefined;
  readonly socket: SocketPlaceholder;
  readonly connection: SocketPlaceholder;
  res: IncomingMessage | undefined;
  aborted = false;
  reusedSocket = false;
  readonly #url: URL;
  readonly #headers = new Map<string, { name: string; value: unknown }>();
  readonly #connection: ConnectionOptions | undefined;
  readonly #chunks: Buffer[] = [];
  #cancel: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({ url, options, listener }: ParsedRequest) {
    super({ autoDestroy: false, emitClose: false });
    this.#url = url;
    this.method = (options.method ?? 'GET').toUpperCase();
    this.protocol = url.protocol;
    this.host = url.hostname;
    this.path = `${url.pathname}${url.search}`;
    this.#connection = readConnectionOptions(url.protocol, options, options.agent);
    this.socket = new SocketPlaceholder(
      url.protocol === 'https:',
      this.#connection?.rejectUnauthorized !== false,
    );
    this.connection = this.socket;
    this.#setHeaders(options.headers ?? {});
    const auth = options.auth ?? (url.username && decodeURIComponent(`${url.username}:${url.password}`));
    if (auth && !this.hasHeader('authorization'))
      this.setHeader('Authorization', `Basic ${Buffer.from(auth).toString('base64')}`);
    url.username = '';
    url.password = '';
    if (listener) this.once('response', listener);
    if (options.timeout) this.setTimeout(options.timeout);
    const { signal } = options;
    const abort = () => this.destroy(signal?.reason as Error);
    if (signal?.aborted) queueMicrotask(abort);
    signal?.addEventListener('abort', abort);
    queueMicrotask(() => this.#announceSocket());
  }

  setHeader(name: string, value: unknown): this {
    this.#headers.set(name.toLowerCase(), { name, value });
    return this;
  }

  getHeader(name: string): unknown {
    return this.#headers.get(name.toLowerCase())?.value;
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase());
  }

  getHeaders(): Record<string, unknown> {
    return Object.fromEntries([...this.#headers].map(([name, { value }]) => [name, value]));
  }

  getHeaderNames(): string[] {
    return [...this.#headers.keys()];
  }

  getRawHeaderNames(): string[] {
    return [...this.#headers.values()].map(({ name }) => name);
  }

  /** @param ms time without a response after which `timeout` is emitted; the request goes on */
  setTimeout(ms: number, listener?: () => void): this {
    if (listener) this.once('timeout', listener);
    clearTimeout(this.#timer);
    this.#timer = ms > 0 ? setTimeout(() => this.emit('timeout'), ms) : undefined;
    return this;
  }

  setNoDelay(): void {}
  setSocketKeepAlive(): void {}
  flushHeaders(): void {}

  abort(): void {
    this.aborted = true;
    this.emit('abort');
    this.destroy();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  override _final(done: () => void): void {
    done();
    void this.#send();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#cancel?.();
    const hungUp = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    done(error ?? (this.res ? null : hungUp));
  }

  #setHeaders(headers: Record<string, unknown> | readonly unknown[]): void {
    if (!Array.isArray(headers)) {
      for (const [name, value] of Object.entries(headers))
        if (value !== undefined) this.setHeader(name, value);
      return;
    }
    for (let i = 0; i + 1 < headers.length; i += 2) this.setHeader(String(headers[i]), headers[i + 1]);
  }

  #announceSocket(): void {
    this.emit('socket', this.socket);
    this.socket.emit('connect');
    if (this.socket.encrypted) this.socket.emit('secureConnect');
  }

  async #send(): Promise<void> {
    const { method } = this;
    // As Node.js, unlike `fetch`, the client decompresses nothing and follows no redirect.
    const input = {
      url: this.#url.href,
      method,
      redirect: 'manual',
      headers: this.#headerPairs(),
      decompress: false,
      connection: this.#connection,
    };
    const body = this.#chunks.length > 0 ? toArrayBuffer(Buffer.concat(this.#chunks)) : undefined;
    const { response, cancel } = startCall('fetch', input, body);
    this.#cancel = cancel;
    const { ok, value, bytes } = await response;
    this.#cancel = undefined;
    if (this.destroyed) return;
    clearTimeout(this.#timer);
    if (!ok) {
      const { message, code } = value as HostError;
      this.destroy(Object.assign(new Error(message), code !== undefined && { code }));
      return;
    }
    this.res = new IncomingMessage(
      value as ResponseHead,
      new Uint8Array(bytes ?? new ArrayBuffer(0)),
      this.socket,
    );
    this.res.req = this;
    this.res.once('end', () => this.emit('close'));
    if (!this.emit('response', this.res)) this.res.resume();
  }

  #headerPairs(): [string, string][] {
    return [...this.#headers.values()].flatMap(({ name, value }) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
    );
  }
}
