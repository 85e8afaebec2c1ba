import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonOf } from '../../src/contract/json.js';

/** A request of a reactor or proxy, a callback or a webhook event, as a double receives it. Its data is not masked. */
export interface OutboundRequest {
  method: string;
  /** As sent. A double does not learn whether it was https: the scheme is https, but for this machine. */
  url: string;
  /** The host that it was sent to, with a port if the URL has one: `api.example.com`. */
  host: string;
  /** Without the query. */
  path: string;
  query: Record<string, string>;
  /** By lower-case name. */
  headers: Record<string, string>;
  bytes: Uint8Array;
  text: string;
  /** The parsed body: JSON, or the fields of a form. undefined for other bodies. */
  body: unknown;
}

export interface OutboundResponse {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  /** Text or bytes are sent as they are, all else as JSON. */
  body?: unknown;
  /** Waits first; milliseconds of the machine's clock. */
  latency_ms?: number;
  /** Closes the connection without a response. */
  reset?: boolean;
}

/** A server on this machine that stands for hosts. */
export interface Stub {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a stub on the loopback address. @param port 0 for any @param unref does not keep the process alive */
export async function startStub(
  respond: (request: OutboundRequest) => Promise<OutboundResponse>,
  { port = 0, unref = false } = {},
): Promise<Stub> {
  const closing = new AbortController();
  const server = createServer(async (message, response) => {
    try {
      const { latency_ms = 0, ...answer } = await respond(await readRequest(message));
      if (latency_ms > 0) await delay(latency_ms, undefined, { signal: closing.signal, ref: false });
      send(answer, response);
    } catch {
      response.destroy();
    }
  });
  if (unref) server.unref();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      closing.abort();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(message: IncomingMessage): Promise<OutboundRequest> {
  const { method = 'GET', headers, url = '/' } = message;
  const bytes = await buffer(message);
  // Relative to a base, `//charges` would be a host.
  const { pathname, searchParams } = new URL(url.startsWith('/') ? `http://stub${url}` : url, 'http://stub');
  const text = bytes.toString();
  const host = headers.host ?? '';
  return {
    method,
    url: `${/^(?:localhost|127\.|\[)/.test(host) ? 'http' : 'https'}://${host}${url}`,
    host,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    bytes,
    text,
    body: parseBody(text, headers['content-type']),
  };
}

function parseBody(text: string, type = ''): unknown {
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  return jsonOf(text);
}

function send({ status = 200, headers = {}, body, reset }: OutboundResponse, response: ServerResponse): void {
  if (reset) return void response.destroy();
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const type = isRaw ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...(body !== undefined && type), ...headers });
  response.end(isRaw || body === undefined ? body : JSON.stringify(body));
}
