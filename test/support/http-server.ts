import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type * as https from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest';
import { PATIENCE } from './patience.js';

/** Makes a server listen on a free port. @returns host and port, and what ends it with its connections */
export async function listen(server: Server): Promise<{ host: string; end: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const end = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, end };
}

/** Makes a server of any protocol listen until the test ends. @returns its host and port */
export async function serve(server: Server): Promise<string> {
  const { host, end } = await listen(server);
  onTestFinished(end);
  return host;
}

/** Starts an HTTP server until the test ends. @returns its URL, without a path */
export const startHttpServer = async (handle: RequestListener): Promise<string> =>
  `http://${await serve(createServer(handle))}`;

/** Provides an HTTP server, or one over TLS, for the tests of the file or block that calls it. */
export function useHttpServer(handle: RequestListener | https.Server): { url: string } {
  const used = { url: '' };
  beforeAll(async () => {
    const { host, end } = await listen(typeof handle === 'function' ? createServer(handle) : handle);
    used.url = `http${typeof handle === 'function' ? '' : 's'}://${host}`;
    return end;
  });
  return used;
}

/** An address of this machine at which something listened a moment ago. */
export async function closedAddress(): Promise<string> {
  const { host, end } = await listen(createServer());
  await end();
  return `http://${host}`;
}

interface Received {
  headers: IncomingHttpHeaders;
  path: string;
  body: string;
}

/** Records the webhooks and callbacks that it gets. */
class Receiver {
  url = '';
  received: Received[] = [];
  /** The status that it answers with. */
  answer: (one: Received) => number | Promise<number> = () => 204;

  readonly handle: RequestListener = async (request, response) => {
    const { headers, url: path = '' } = request;
    const one = { headers, path, body: await text(request) };
    this.received.push(one);
    const status = await this.answer(one);
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  };

  /** Waits until it has this many at least. @returns the one of this number, from 1 */
  async arrived(count: number): Promise<Received> {
    await vi.waitFor(() => expect(this.received.length).toBeGreaterThanOrEqual(count), PATIENCE);
    return this.received[count - 1] as Received;
  }

  /** The bodies, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  bodies = (): any[] => this.received.map(({ body }) => JSON.parse(body));
}

/** Provides a receiver for the tests of the file or block that calls it; each test finds it empty. */
export function useReceiver(): Receiver {
  const receiver = new Receiver();
  const server = useHttpServer(receiver.handle);
  beforeEach(() => {
    receiver.url = server.url;
    receiver.received = [];
    receiver.answer = () => 204;
  });
  return receiver;
}

/** Starts a receiver until the test ends. */
export async function startReceiver(answer: Receiver['answer'] = () => 204): Promise<Receiver> {
  const receiver = new Receiver();
  receiver.answer = answer;
  receiver.url = await startHttpServer(receiver.handle);
  return receiver;
}
