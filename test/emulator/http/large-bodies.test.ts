import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '../../../src/contract/limits.js';
import { createTenant } from '../../support/call.js';
import { useServer } from '../../support/test-server.js';

const server = useServer();

/** Begins a request with a body of 5 MB, and sends a part of it. */
function beginLargeBody(): Socket {
  const { hostname, port } = new URL(server.emulator.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const head = [
    'POST /tokens HTTP/1.1',
    `Host: ${hostname}:${port}`,
    `SVC-API-KEY: ${server.emulator.keys.private}`,
    'Content-Type: application/json',
    `Content-Length: ${LIMITS.bodyBytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${' '.repeat(1_000)}`);
  return socket;
}

const send = (bytes: number, key = server.emulator.keys.private) =>
  server.call('POST', '/tokens', { raw: JSON.stringify({ type: 'token', data: 'x'.repeat(bytes) }), key });

test('a request that does not arrive whole within a minute is ended', async () => {
  const timeouts: number[] = [];
  const note = (message: unknown) => timeouts.push((message as { server: Server }).server.requestTimeout);
  subscribe('http.server.request.start', note);
  onTestFinished(() => void unsubscribe('http.server.request.start', note));
  await send(1_000);
  expect(timeouts).toEqual([60_000]);
});

test('large bodies that are not sent leave small ones, and those of other tenants, as they are', async () => {
  const other = await createTenant(server.emulator, 'other');
  const sockets: Socket[] = [];
  for (let i = 0; i < 30; i++) sockets.push(beginLargeBody());
  expect((await send(1_000)).status).toBe(201);
  expect((await send(2_000_000, other.keys.private)).status).toBe(201);
  const refused = await send(2_000_000);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(refused.body.detail).toContain('Large requests of this tenant');
  for (const socket of sockets) socket.destroy();
  expect((await send(2_000_000)).status).toBe(201);
});
