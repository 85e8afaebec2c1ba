import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/**
 * The response that a forwarder sends itself. `reset` breaks the connection; `lost` does so after the request was carried out, by a
 * service that ignores its idempotency key.
 */
export type ForwarderAnswer =
  | { status: number; headers?: Record<string, string> }
  | 'reset'
  | 'lost'
  | undefined;

interface Forwarder {
  url: string;
  /** Method and path of each request, without the query. */
  requests: string[];
  /** The largest number of requests that were in flight together. */
  readonly maximumInFlight: number;
}

/**
 * Starts a server in front of an emulator until the test ends.
 * @param answer Returns the response to request number `count`, from 1; undefined forwards it
 * @param options.onForwarded Is called with a request when it was carried out, before its response is sent
 */
export async function startForwarder(
  target: string,
  answer: (count: number) => ForwarderAnswer | Promise<ForwarderAnswer>,
  { onForwarded = () => {} }: { onForwarded?: (request: string) => void } = {},
): Promise<Forwarder> {
  const requests: string[] = [];
  let count = 0;
  let inFlight = 0;
  let maximumInFlight = 0;
  const server = createServer(async (request, response) => {
    response.once('close', () => inFlight--);
    maximumInFlight = Math.max(maximumInFlight, ++inFlight);
    const name = `${request.method} ${request.url?.replace(/\?.*/s, '')}`;
    requests.push(name);
    const body = await buffer(request);
    const own = await answer(++count);
    if (own === 'reset') return void request.socket.resetAndDestroy();
    if (typeof own === 'object') return void response.writeHead(own.status, own.headers).end();
    const headers = Object.entries(request.headers).filter(
      ([name]) => /^svc-|^content-type$/.test(name) && !(own === 'lost' && name === 'svc-idempotency-key'),
    );
    const forwarded = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const text = await forwarded.text();
    onForwarded(name);
    if (own === 'lost') return void request.socket.resetAndDestroy();
    response
      .writeHead(forwarded.status, { 'content-type': forwarded.headers.get('content-type') ?? '' })
      .end(text);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get maximumInFlight() {
      return maximumInFlight;
    },
  };
}
