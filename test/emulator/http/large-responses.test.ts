import { connect, type Socket } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTenant } from '../../support/call.js';
import { measureHeldBytes } from '../../support/held-memory.js';
import { useServer } from '../../support/test-server.js';
import { width } from '../../support/width.js';

const server = useServer();
const whenFull = test.runIf(width(false, true));

/** Asks for tokens on one connection without awaiting the responses. */
function ask(...ids: string[]): Socket {
  const { hostname, port } = new URL(server.emulator.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const headers = `Host: ${hostname}\r\nSVC-API-KEY: ${server.emulator.keys.private}\r\n\r\n`;
  socket.write(ids.map((id) => `GET /tokens/${id} HTTP/1.1\r\n${headers}`).join(''));
  return socket;
}

beforeAll(async () => {
  for (const id of ['large', 'larger', 'largest'])
    await server.token({ id, type: 'token', data: `${id}${'x'.repeat(4_900_000)}` });
  await server.token({ id: 'small', type: 'token', data: 1 });
});

test('requests that a client sends together are handled one after another, in their order', async () => {
  const paths: string[] = [];
  const unsubscribe = server.emulator.subscribe((event) => {
    if (event.kind === 'request') paths.push(event.path);
  });
  const ids = ['large', 'small', 'largest', 'missing', 'larger', ...Array<string>(500).fill('small')];
  const socket = ask(...ids);
  const statuses: number[] = [];
  let rest = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const parts = (rest + chunk).split(/HTTP\/1\.1 (\d{3})/);
    statuses.push(...parts.filter((_, index) => index % 2 === 1).map(Number));
    // A status line may come in two chunks.
    rest = parts.at(-1)?.slice(-'HTTP/1.1 20'.length) ?? '';
  });
  await expect.poll(() => statuses.length).toBe(505);
  unsubscribe();
  expect(paths).toEqual(ids.map((id) => `/tokens/${id}`));
  expect(statuses).toEqual(ids.map((id) => (id === 'missing' ? 404 : 200)));
});

test('of a client that does not read, one large response is made', async () => {
  let responses = 0;
  const unsubscribe = server.emulator.subscribe((event) => {
    if (event.kind === 'request') responses += 1;
  });
  ask('large', 'large', 'large').pause();
  await expect.poll(() => responses).toBe(1);
  expect((await server.get('/tokens/small')).status).toBe(200);
  unsubscribe();
  expect(responses).toBe(2);
});

test('a connection that is kept alive does not keep the response that it had', async () => {
  const before = await measureHeldBytes();
  const sockets = Array.from({ length: 10 }, () => ask('large'));
  await Promise.all(
    sockets.map(async (socket) => {
      let bytes = 0;
      for await (const { length } of socket.iterator({ destroyOnReturn: false })) {
        bytes += length;
        if (bytes > 4_900_000) return;
      }
    }),
  );
  expect(await measureHeldBytes()).toBeLessThan(before + 10_000_000);
  expect(sockets.filter(({ closed }) => closed)).toEqual([]);
});

test('a large response is the same as a small one, whatever is in it', async () => {
  const data = {
    text: `${'é'.repeat(40_000)}"\\\n`,
    list: Array.from({ length: 9_000 }, (_, i) => [i, {}]),
    no: [],
  };
  const { id } = await server.token({ type: 'token', data });
  const answer = await server.get(`/tokens/${id}`);
  expect([answer.status, answer.body.data]).toEqual([200, data]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(JSON.stringify(answer.body)));
});

whenFull('clients that do not read take the share of their tenant, and are disconnected', async () => {
  const other = await createTenant(server.emulator, 'other');
  const large = { type: 'token', data: 'x'.repeat(4_900_000) };
  const { body: token } = await server.post('/tokens', large, { key: other.keys.private });
  for (let i = 0; i < 80; i++) ask('?size=4').pause();
  expect((await server.get('/tokens/small')).status).toBe(200);
  expect((await server.get(`/tokens/${token.id}`, { key: other.keys.private })).status).toBe(200);
  await expect.poll(async () => (await server.get('/tokens/large')).status).toBe(200);
});
