import { connect } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { PATIENCE } from '../../support/patience.js';
import { useServer } from '../../support/test-server.js';
import { width } from '../../support/width.js';

const server = useServer();
const whenFull = test.runIf(width(false, true));

/** Asks for a large token several times on one connection, and takes none of the responses. */
function askWithoutReading(times = 12): void {
  const { hostname, port } = new URL(server.emulator.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const head = [
    'GET /tokens/large HTTP/1.1',
    `Host: ${hostname}`,
    `SVC-API-KEY: ${server.emulator.keys.private}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`.repeat(times));
}

beforeAll(async () => {
  await server.token({ id: 'large', type: 'token', data: 'x'.repeat(5_000_000) });
  await server.token({ id: 'small', type: 'token', data: 1 });
});

test('of large responses to requests that a client sends together, one is made in each turn of the event loop', async () => {
  let turn = 0;
  const turns: number[] = [];
  const unsubscribe = server.emulator.subscribe((event) => {
    if (event.kind === 'request') turns.push(turn);
  });
  const count = () => {
    turn += 1;
    if (turns.length < 5) setImmediate(count);
  };
  setImmediate(count);
  askWithoutReading(5);
  await expect.poll(() => turns.length, PATIENCE).toBe(5);
  unsubscribe();
  expect(new Set(turns).size).toBe(5);
});

const large = async () => {
  const { status, headers } = await server.get('/tokens/large');
  return [status, headers.get('retry-after')];
};

/** Holds as many large responses as there may be. The system takes some of them, so that each attempt asks for more. */
async function holdLargeResponses(): Promise<void> {
  const attempt = () => {
    for (let i = 0; i < 6; i++) askWithoutReading();
    return large();
  };
  await expect.poll(attempt, PATIENCE).toEqual([503, '1']);
}

whenFull(
  'large responses that clients do not take have at most 256 MiB together; others are 503',
  async () => {
    await holdLargeResponses();
    expect((await server.get('/tokens/small')).status).toBe(200);
    // A request from the same process waits for nobody.
    const headers = { 'SVC-API-KEY': server.emulator.keys.private };
    const { status, body } = await server.emulator.inject({ method: 'GET', url: '/tokens/large', headers });
    expect([status, JSON.parse(body).data.length]).toEqual([200, 5_000_000]);
    // Clients that take nothing are disconnected, and others are answered again.
    await expect.poll(large, PATIENCE).toEqual([200, null]);
  },
);
