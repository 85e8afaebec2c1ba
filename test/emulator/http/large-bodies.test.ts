import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { turnForLargeMessage } from '../../../emulator/http/large-messages.js';
import { LIMITS } from '../../../src/contract/limits.js';
import { PATIENCE } from '../../support/patience.js';
import { useServer } from '../../support/test-server.js';

const server = useServer();

test('of large bodies that arrive together, one is handled in each turn of the event loop', async () => {
  let turn = 0;
  let isDone = false;
  const count = () => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const turns = await Promise.all(Array.from({ length: 5 }, () => turnForLargeMessage().then(() => turn)));
  isDone = true;
  expect(new Set(turns).size).toBe(5);
});

/** Begins a request with a body of 5 MB, and sends all of it but the last byte. */
async function beginLargeBody(path: string): Promise<Socket> {
  const { hostname, port } = new URL(server.emulator.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `SVC-API-KEY: ${server.emulator.keys.private}`,
    'Content-Type: application/json',
    `Content-Length: ${LIMITS.bodyBytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  if (!socket.write(Buffer.alloc(LIMITS.bodyBytes - 1, ' '))) await once(socket, 'drain');
  return socket;
}

async function sendLargeBody(path: string): Promise<string> {
  const socket = await beginLargeBody(path);
  socket.write(' ');
  return text(socket);
}

const send = (bytes: number) =>
  server.call('POST', '/tokens', { raw: JSON.stringify({ type: 'token', data: 'x'.repeat(bytes) }) });

test('large bodies have at most 256 MiB together; what goes beyond is 503, and small ones are accepted', async () => {
  const sockets: Socket[] = [];
  const hold = async () => sockets.push(await beginLargeBody('/tokens'));
  for (let i = 0; i < 50; i++) await hold();
  for (const path of ['/tokens', '/proxy']) {
    // Which one is refused depends on which arrives last: until it is this one, one more is held before each attempt.
    const attempt = async () => {
      await hold();
      return sendLargeBody(path);
    };
    await expect.poll(attempt, PATIENCE).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n.*large bodies/is);
  }
  expect((await send(1_000)).status).toBe(201);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await send(2_000_000)).status, PATIENCE).toBe(201);
});
