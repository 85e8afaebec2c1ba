import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type * as https from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, expect, onTestFinished } from 'vitest';

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
    await expect.poll(() => this.received.length).toBeGreaterThanOrEqual(count);
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

/** The response to one request; the last one is repeated. */
export interface StubAnswer {
  /** Answers every request of this path and no other; such requests are not recorded. */
  path?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
  /** Milliseconds before the response is sent. */
  delayMs?: number;
  /** Resets the connection instead of sending a response. */
  reset?: true;
}

interface StubRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Stub {
  url: string;
  requests: StubRequest[];
}

const PROBLEM = { 'content-type': 'application/problem+json' };

export function problem(status: number, title: string, more: Record<string, unknown> = {}): StubAnswer {
  return {
    status,
    headers: PROBLEM,
    body: { title, status, detail: `${title}.`, instance: 'trace-1', ...more },
  };
}

function createStub(all: readonly StubAnswer[]): { requests: StubRequest[]; handle: RequestListener } {
  const answers = all.filter(({ path }) => path === undefined);
  const requests: StubRequest[] = [];
  const handle: RequestListener = async (request, response) => {
    const { method = '', url = '', headers } = request;
    const ofPath = all.find(({ path }) => path === url);
    const body = await text(request);
    if (!ofPath) requests.push({ method, path: url, headers, body });
    const answer = ofPath ?? answers[Math.min(requests.length, answers.length) - 1] ?? {};
    if (answer.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
    if (answer.reset) return void request.socket.resetAndDestroy();
    const { body: sent } = answer;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof sent === 'string' || sent === undefined ? sent : JSON.stringify(sent));
  };
  return { requests, handle };
}

/** Starts a server with fixed responses until the test ends, for failures that the emulator does not produce. */
export async function startStub(...answers: StubAnswer[]): Promise<Stub & { close(): Promise<void> }> {
  const { requests, handle } = createStub(answers);
  const { host, end: close } = await listen(createServer(handle));
  onTestFinished(close);
  return { url: `http://${host}`, requests, close };
}

/** Provides such a server for the tests of the file or block that calls it. */
export function useStub(...answers: StubAnswer[]): Stub {
  const { requests, handle } = createStub(answers);
  return Object.assign(useHttpServer(handle), { requests });
}

/** Where reactors wait for the test. */
interface Gate {
  /** Fetched by a reactor, answered when the gate is open. */
  url: string;
  /** Resolves when the first reactor waits. */
  reached: Promise<void>;
  open(): void;
}

/** Starts a gate, so that reactors run for as long as the test wants. Closed at the end of the test. */
export async function startGate(): Promise<Gate> {
  let [reach, open] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  onTestFinished(open);
  const url = await openBarrier(() => {
    reach();
    return opened;
  });
  return { url, reached, open };
}

/**
 * Starts a server that a reactor's code calls to let the test act while the reactor runs: the response is sent when
 * `action` is done. Closed at the end of the test.
 */
export function openBarrier(action: () => unknown): Promise<string> {
  return startHttpServer(async (_request, response) => {
    await action();
    response.end();
  });
}
