import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest';
import { PATIENCE } from './patience.js';

async function listen(handle: RequestListener): Promise<Server> {
  const server = createServer(handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function end(server: Server): void {
  server.closeAllConnections();
  server.close();
}

/** Starts an HTTP server until the test ends. @returns its URL, without a path */
export async function startHttpServer(handle: RequestListener): Promise<string> {
  const server = await listen(handle);
  onTestFinished(() => end(server));
  return urlOf(server);
}

/** Provides an HTTP server for the tests of the file or block that calls it. */
export function useHttpServer(handle: RequestListener): { url: string } {
  const used = { url: '' };
  let server: Server;
  beforeAll(async () => {
    server = await listen(handle);
    used.url = urlOf(server);
  });
  afterAll(() => end(server));
  return used;
}

/** An address of this machine at which something listened a moment ago. */
export async function closedAddress(): Promise<string> {
  const gone = await listen(() => {});
  const url = urlOf(gone);
  await new Promise((resolve) => gone.close(resolve));
  return url;
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
