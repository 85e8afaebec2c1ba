import { connect, type Socket } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { PATIENCE } from '../../support/patience.js';
import { useServer } from '../../support/test-server.js';

const server = useServer();

/** Asks for a large token many times on one connection, and takes none of the responses. */
function askWithoutReading(): Socket {
  const { hostname, port } = new URL(server.emulator.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const head = [
    'GET /tokens/large HTTP/1.1',
    `Host: ${hostname}`,
    `SVC-API-KEY: ${server.emulator.keys.private}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`.repeat(12));
  return socket;
}

beforeAll(async () => {
  await server.token({ id: 'large', type: 'token', data: 'x'.repeat(5_000_000) });
  await server.token({ id: 'small', type: 'token', data: 1 });
});

const large = async () => {
  const { status, headers } = await server.get('/tokens/large');
  return [status, headers.get('retry-after')];
};

/** Holds as many large responses as there may be. The system takes some of them, so that each attempt asks for more. */
async function holdLargeResponses(): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const attempt = () => {
    for (let i = 0; i < 6; i++) sockets.push(askWithoutReading());
    return large();
  };
  await expect.poll(attempt, PATIENCE).toEqual([503, '1']);
  return sockets;
}

test('large responses that clients do not take have at most 256 MiB together; others are 503', async () => {
  const sockets = await holdLargeResponses();
  expect((await server.get('/tokens/small')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(large, PATIENCE).toEqual([200, null]);
});

test('a client that takes nothing of a large response is disconnected', async () => {
  await holdLargeResponses();
  await expect.poll(large, PATIENCE).toEqual([200, null]);
});

test('a request from the same process gets a large response, however many wait', async () => {
  const sockets = await holdLargeResponses();
  const headers = { 'SVC-API-KEY': server.emulator.keys.private };
  const { status, body } = await server.emulator.inject({ method: 'GET', url: '/tokens/large', headers });
  expect([status, JSON.parse(body).data.length]).toEqual([200, 5_000_000]);
  for (const socket of sockets) socket.destroy();
});
