import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import autocannon from 'autocannon';
import type { Tenant } from '../src/testing/index.js';
import { type Call, open } from './clients.js';
import { atEnd } from './servers.js';

/** Requests of one tenant that held up others, or ended the emulator. */
export interface Shape {
  id: 'R3' | 'R4';
  name: string;
  /** Milliseconds. */
  goal: number;
  /** What the other tenant does. */
  other: 'read' | 'create' | 'react';
  /** @returns what sends the requests of the shape; resolves when they are answered */
  prepare(sender: Sender): Promise<() => Promise<unknown>>;
}

const MEGABYTES = 1_000_000;
const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const together = (count: number, send: (index: number) => Promise<unknown>) =>
  Promise.all(repeat(count, send));

/** Sends the requests of a tenant, any number at the same time, and drops the responses. */
export class Sender {
  constructor(
    readonly tenant: Tenant,
    readonly url: string,
  ) {}

  get(path: string, use: keyof Tenant['keys'] = 'private'): Promise<void> {
    return this.#drop({ method: 'GET', path, key: this.tenant.keys[use] });
  }

  post(path: string, body: unknown, use: keyof Tenant['keys'] = 'private'): Promise<void> {
    return this.#drop({ method: 'POST', path, key: this.tenant.keys[use], body });
  }

  async #drop(call: Call): Promise<void> {
    await once((await open(this.url, call)).resume(), 'end');
  }
}

/** Starts a receiver of webhooks. @param answers whether it accepts at once; otherwise it never answers */
async function startReceiver(answers: boolean): Promise<string> {
  const server = createServer((incoming, response) => {
    incoming.resume();
    if (answers) incoming.on('end', () => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function createWebhooks(sender: Sender, count: number, answers: boolean): Promise<void> {
  const url = await startReceiver(answers);
  for (let i = 0; i < count; i++)
    await sender.post('/webhooks', { name: `w${i}`, url, events: ['token.created'] }, 'management');
}

/** Metadata of about this many bytes. */
const largeMetadata = (bytes: number) =>
  Object.fromEntries(repeat(250, (i) => [`key${i}`, 'm'.repeat(Math.floor(bytes / 250))]));

const LEVELS = `/${repeat(190, () => 'a').join('/')}/`;

async function createReactor({ tenant }: Sender, code: string): Promise<string> {
  const body = { name: 'hostile', code, configuration: {} };
  return (await tenant.client.call('reactors.create', { body })).id;
}

/** Creates ten reactors that wait. */
async function createWaiting(sender: Sender, ms: number): Promise<string[]> {
  const code = `module.exports = async () => { await new Promise((r) => setTimeout(r, ${ms})); }`;
  const ids: string[] = [];
  for (let i = 0; i < 10; i++) ids.push(await createReactor(sender, code));
  return ids;
}

/** Sends a request over connections whose responses nobody reads. */
async function sendUnread({ tenant, url }: Sender, connections: number, path: string): Promise<void> {
  const { hostname: host, port } = new URL(url);
  await together(connections, async () => {
    const socket = connect({ port: Number(port), host }).on('error', () => {});
    atEnd(() => socket.destroy());
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nSVC-API-KEY: ${tenant.keys.private}\r\n\r\n`);
    await once(socket, 'close');
  });
}

async function createLargeTokens(sender: Sender, count: number, bytes: number, more = {}): Promise<void> {
  for (let i = 0; i < count; i++)
    await sender.post('/tokens', { type: 'token', data: `${i}`.padEnd(bytes, 'd'), ...more });
}

const NUMBERS = repeat(10_000, (index) => index);
const SLOW = '{{ data | where_exp: "i", "data contains i" | size }}';
/** Beginnings of many values. */
const PREFIXES = repeat(50, (i) => 'value'.slice(0, 1 + (i % 5)) + (i < 10 ? '' : i));
const WILDCARDS = PREFIXES.map((prefix) => `metadata.key:${prefix}*`).join(' OR ');

const HOSTILE = [
  'module.exports = async () => { for (;;) {} }',
  'module.exports = async () => { for (;;) await 1 }',
  'module.exports = async () => { const a = []; for (;;) a.push("x".repeat(1000) + a.length) }',
  'module.exports = async () => { Array.prototype.sort.call({ length: 2 ** 32 - 1 }) }',
];

function shape(name: string, other: Shape['other'], prepare: Shape['prepare']): Shape {
  return { id: 'R4', name, goal: other === 'react' ? 1_000 : 100, other, prepare };
}

export const SHAPES: readonly Shape[] = [
  {
    ...{ id: 'R3', name: '20 invocations of hostile reactors', goal: 50, other: 'read' },
    async prepare(sender) {
      const ids = await Promise.all(HOSTILE.map((code) => createReactor(sender, code)));
      return () => together(20, (i) => sender.post(`/reactors/${ids[i % 4]}/react`, { args: {} }));
    },
  },
  shape('expressions', 'read', async (sender) => {
    const token = { type: 'token', data: NUMBERS } as const;
    const { id } = await sender.tenant.client.call('tokens.create', { body: token });
    const attacks: [string, unknown][] = [
      ['/tokens', { ...token, mask: SLOW }],
      ['/tokens', { type: 'token', data: 'x'.repeat(MEGABYTES), mask: '{{data}}'.repeat(8_000) }],
      ['/tokens', { ...token, search_indexes: Array(64).fill(SLOW) }],
      ['/detokenize', `{{ ${id} | where_exp: "i", "value contains i" | size }}`],
    ];
    return () => together(8, () => Promise.all(attacks.map(([path, body]) => sender.post(path, body))));
  }),
  shape('events for 20 webhooks that do not answer', 'read', async (sender) => {
    await createWebhooks(sender, 20, false);
    const body = repeat(5_000, (i) => `v${i}`);
    return () => together(4, () => sender.post('/tokenize', body, 'public'));
  }),
  shape('tokens with 4.7 MB of metadata', 'read', async (sender) => {
    await createWebhooks(sender, 1, true);
    const body = { type: 'token', data: 'x', metadata: largeMetadata(4.7 * MEGABYTES) };
    return async () => {
      for (let i = 0; i < 50; i++) await together(3, () => sender.post('/tokens', body));
    };
  }),
  shape('9,000 tokens with a container of 190 levels', 'read', async (sender) => {
    const body = repeat(9_000, (i) => ({ type: 'token', data: `v${i}`, containers: [LEVELS] }));
    return () => sender.post('/tokenize', body);
  }),
  shape('20 lists of five tokens of 4.9 MB', 'read', async (sender) => {
    await createLargeTokens(sender, 5, 4.9 * MEGABYTES);
    return () => together(20, () => sender.get('/tokens?size=5'));
  }),
  shape('100 lists of five tokens of 4.9 MB that nobody reads', 'read', async (sender) => {
    await createLargeTokens(sender, 5, 4.9 * MEGABYTES);
    return () => sendUnread(sender, 100, '/tokens?size=5');
  }),
  shape('40 reactor calls that wait', 'react', async (sender) => {
    const ids = await createWaiting(sender, 29_000);
    return () => together(40, (i) => sender.post(`/reactors/${ids[i % 10]}/react`, { args: {} }));
  }),
  shape('40 asynchronous reactor calls that wait', 'react', async (sender) => {
    const ids = await createWaiting(sender, 200_000);
    const body = { args: {}, timeout_ms: 210_000 };
    return () => together(40, (i) => sender.post(`/reactors/${ids[i % 10]}/react-async`, body));
  }),
  shape('30 reactors with 4.8 MB of configuration', 'create', async (sender) => {
    const configuration = largeMetadata(4.8 * MEGABYTES);
    const code = 'module.exports = async () => ({})';
    return async () => {
      for (let i = 0; i < 30; i++)
        await sender.post('/reactors', { name: `r${i}`, code, configuration }, 'management');
      await together(4, () => sender.get('/reactors?size=100', 'management'));
    };
  }),
  shape('20 reactor results of 5 MB', 'read', async (sender) => {
    const code =
      'module.exports = async () => ({ raw: Array.from({ length: 50000 }, (_, i) => "r".repeat(90) + i) })';
    const id = await createReactor(sender, code);
    return () => together(20, () => sender.post(`/reactors/${id}/react`, { args: {} }));
  }),
  shape('searches of 50 wildcards on 20,000 tokens', 'read', async (sender) => {
    const token = (i: number) => ({ type: 'token', data: `v${i}`, metadata: { key: `value${i}` } });
    for (let from = 0; from < 20_000; from += 5_000)
      await sender.post(
        '/tokenize',
        repeat(5_000, (i) => token(from + i)),
      );
    return () => together(20, () => sender.post('/tokens/search', { query: WILDCARDS }));
  }),
  shape('five connections with 20,000 pipelined requests each', 'read', async (sender) => {
    await sender.post('/tokens', { id: 'pipelined', type: 'token', data: 'x' });
    const [url, headers] = [`${sender.url}/tokens/pipelined`, { 'SVC-API-KEY': sender.tenant.keys.private }];
    return async () =>
      autocannon({ url, headers, connections: 5, pipelining: 20_000, amount: 100_000, timeout: 60 });
  }),
  shape('pages of 62 tokens with large masks', 'read', async (sender) => {
    await createLargeTokens(sender, 62, 90_000, { mask: '{{ data | reveal_last: 4 }}' });
    return () => together(20, () => sender.get('/tokens?size=62', 'management'));
  }),
  shape('20 tokens of 256 times 19 KB of metadata in one request', 'read', async (sender) => {
    const metadata = Object.fromEntries(repeat(256, (i) => [`key${i}`, 'm'.repeat(1_000)]));
    const body = repeat(20, (i) => ({ type: 'token', data: `v${i}`, metadata }));
    return () => together(20, () => sender.post('/tokenize', body));
  }),
  shape('asynchronous reactor calls with 4.9 MB of arguments', 'react', async (sender) => {
    const id = await createReactor(sender, 'module.exports = async () => { for (;;) {} }');
    const args = { text: 'a'.repeat(4.9 * MEGABYTES) };
    return async () => {
      for (let i = 0; i < 100; i++)
        await together(2, () => sender.post(`/reactors/${id}/react-async`, { args }));
    };
  }),
];
