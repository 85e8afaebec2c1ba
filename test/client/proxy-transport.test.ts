import * as net from 'node:net';
import { expect, test } from 'vitest';
import { toFailure } from '../../src/cli/lib/to-failure.js';
import { createClient } from '../../src/client/index.js';
import { createProxyTransport } from '../../src/client/proxy-transport.js';
import { serve } from '../support/http-server.js';

interface Proxy {
  /** Host and port. */
  host: string;
  connections: number;
}

/** Starts a proxy that treats the first bytes of each connection in one way. */
async function startProxy(respond: (socket: net.Socket) => void): Promise<Proxy> {
  const proxy = { host: '', connections: 0 };
  const server = net.createServer((socket) => {
    proxy.connections++;
    socket.on('error', () => {}).once('data', () => respond(socket));
  });
  proxy.host = await serve(server);
  return proxy;
}

/** Sends one request through a proxy, without retries, and describes its failure. */
async function failureOf(baseUrl: string, { host }: Proxy, timeoutMs = 20_000) {
  const transport = createProxyTransport(baseUrl, `http://user:secret@${host}`);
  const connect = async () => ({ transport, apiKey: () => 'key_secret' });
  const client = createClient({ connect, retries: 0, timeoutMs });
  const failure = toFailure(await client.call('tenants.get').catch((error) => error));
  await client.close();
  return failure;
}

const SCHEMES = ['http', 'https'];
const CHECK = 'Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY: tokenctl doctor';

test.each(SCHEMES)('a proxy that closes %s connections is named, and not called for ever', async (scheme) => {
  const proxy = await startProxy((socket) => socket.destroy());
  expect(await failureOf(`${scheme}://service.invalid`, proxy)).toMatchObject({
    category: 'unreachable',
    detail: `${scheme}://service.invalid cannot be reached through the proxy ${proxy.host}: ECONNRESET.`,
    hint: CHECK,
  });
  expect(proxy.connections).toBe(1);
});

test.each(SCHEMES)('the time for a request includes that of a silent proxy: %s', async (scheme) => {
  const proxy = await startProxy(() => {});
  expect(await failureOf(`${scheme}://service.invalid`, proxy, 200)).toMatchObject({
    category: 'timeout',
    detail: `${scheme}://service.invalid did not answer through the proxy ${proxy.host} within 0.2 s.`,
  });
});

test.each([
  ['https', 403],
  ['https', 502],
  ['https', 407],
  ['http', 407],
])('a proxy that refuses %s with %i', async (scheme, status) => {
  const proxy = await startProxy((socket) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length:0\r\n\r\n`));
  expect(await failureOf(`${scheme}://service.invalid`, proxy)).toMatchObject({
    category: 'unreachable',
    detail: `${scheme}://service.invalid cannot be reached through the proxy ${proxy.host}: HTTP ${status}.`,
    hint: CHECK,
  });
});

test.each(SCHEMES)('a proxy that does not speak HTTP is not a bug of tokenctl: %s', async (scheme) => {
  const proxy = await startProxy((socket) => socket.end('SSH-2.0-OpenSSH_9\r\n'));
  expect(await failureOf(`${scheme}://service.invalid`, proxy)).toMatchObject({ category: 'unreachable' });
});

test('an error page may be that of the proxy', async () => {
  const proxy = await startProxy((socket) => socket.end('HTTP/1.1 403 No\r\ncontent-length: 2\r\n\r\nno'));
  expect(await failureOf('http://service.invalid', proxy)).toMatchObject({
    category: 'forbidden',
    detail: `The service or the proxy ${proxy.host} returned status 403 without a reason.`,
    hint: CHECK,
  });
});
