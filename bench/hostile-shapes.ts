import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Tenant } from '../src/testing/index.js';
import type { Call } from './clients.js';

/** What a shape is made of: the tenant that sends it, and where the emulator is. */
interface Target {
  tenant: Tenant;
  port: number;
}

/** The requests of a shape, ready to be sent. */
export interface Attack {
  /** Sends them; resolves when they are answered. */
  send(): Promise<unknown>;
  close(): void;
}

/** Requests of one tenant that held up others, or ended the emulator. */
export interface Shape {
  name: string;
  /** What the other tenant does; it reads a token by default. */
  other?: 'read' | 'create' | 'react';
  prepare(target: Target): Promise<Attack>;
}

const MEGABYTES = 1_000_000;
const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const rawGet = (path: string, key: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nSVC-API-KEY: ${key}\r\n\r\n`);

/** Sends requests, any number at the same time, and drops the responses. */
class Sender {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #closers: (() => void)[] = [() => this.#agent.destroy()];

  constructor(readonly target: Target) {}

  async send({ method, path, key, body }: Call): Promise<number> {
    const headers = { 'SVC-API-KEY': key, 'content-type': 'application/json' };
    const sent = request({
      port: this.target.port,
      host: '127.0.0.1',
      path,
      method,
      headers,
      agent: this.#agent,
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, 'response');
    await once(response.resume(), 'end');
    return response.statusCode as number;
  }

  /** Sends with the private key; `use` chooses another one. */
  call(
    method: Call['method'],
    path: string,
    body?: unknown,
    use: keyof Tenant['keys'] = 'private',
  ): Promise<number> {
    return this.send({ method, path, key: this.target.tenant.keys[use], body });
  }

  onClose(close: () => void): void {
    this.#closers.push(close);
  }

  attack(send: () => Promise<unknown>): Attack {
    return { send, close: () => this.#closers.forEach((close) => void close()) };
  }
}

/** Starts a receiver of webhooks. @param answers whether it accepts at once; otherwise it never answers */
async function startReceiver(sender: Sender, answers: boolean): Promise<string> {
  const server: Server = createServer((incoming, response) => {
    incoming.resume();
    if (answers) incoming.on('end', () => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  sender.onClose(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function createWebhooks(sender: Sender, count: number, answers: boolean): Promise<void> {
  const url = await startReceiver(sender, answers);
  for (let i = 0; i < count; i++)
    await sender.call('POST', '/webhooks', { name: `w${i}`, url, events: ['token.created'] }, 'management');
}

/** Metadata of about this many bytes. */
const largeMetadata = (bytes: number) =>
  Object.fromEntries(repeat(250, (i) => [`key${i}`, 'm'.repeat(Math.floor(bytes / 250))]));

const LEVELS = `/${repeat(190, () => 'a').join('/')}/`;

async function createReactor(sender: Sender, code: string, configuration = {}): Promise<string> {
  const body = { name: 'hostile', code, configuration };
  return (await sender.target.tenant.client.call('reactors.create', { body })).id;
}

/** Sends bytes over connections whose responses nobody reads. */
async function sendUnread(
  sender: Sender,
  connections: number,
  bytes: Buffer,
  isRead: boolean,
): Promise<void> {
  const sockets = repeat(connections, () => connect({ port: sender.target.port, host: '127.0.0.1' }));
  sender.onClose(() => sockets.forEach((socket) => void socket.destroy()));
  await Promise.all(sockets.map((socket) => writeAll(socket, bytes, isRead)));
}

async function writeAll(socket: Socket, bytes: Buffer, isRead: boolean): Promise<void> {
  socket.on('error', () => {});
  if (isRead) socket.resume();
  else socket.pause();
  socket.write(bytes);
  await once(socket, 'close');
}

/** A shape whose preparation and attack need nothing but a sender. */
const shape = (
  name: string,
  prepare: (sender: Sender) => Promise<() => Promise<unknown>>,
  other: Shape['other'] = 'read',
): Shape => ({
  name,
  other,
  async prepare(target) {
    const sender = new Sender(target);
    return sender.attack(await prepare(sender));
  },
});

async function createLargeTokens(sender: Sender, count: number, bytes: number, more = {}): Promise<void> {
  for (let i = 0; i < count; i++)
    await sender.call('POST', '/tokens', { type: 'token', data: 'd'.repeat(bytes), ...more });
}

const NUMBERS = repeat(10_000, (index) => index);
const SLOW = '{{ data | where_exp: "i", "data contains i" | size }}';
const WILDCARDS = repeat(250, (i) => `metadata.key:a${i}*`).join(' OR ');

export const SHAPES: readonly Shape[] = [
  shape('expressions', async (sender) => {
    const token = { type: 'token', data: NUMBERS } as const;
    const { id } = await sender.target.tenant.client.call('tokens.create', { body: token });
    const attacks: [string, unknown][] = [
      ['/tokens', { ...token, mask: SLOW }],
      ['/tokens', { type: 'token', data: 'x'.repeat(MEGABYTES), mask: '{{data}}'.repeat(8_000) }],
      ['/tokens', { ...token, search_indexes: Array(64).fill(SLOW) }],
      ['/detokenize', `{{ ${id} | where_exp: "i", "value contains i" | size }}`],
    ];
    return () =>
      Promise.all(
        repeat(8, () => attacks)
          .flat()
          .map(([path, body]) => sender.call('POST', path, body)),
      );
  }),
  shape('events for 20 webhooks that do not answer', async (sender) => {
    await createWebhooks(sender, 20, false);
    const body = repeat(5_000, (i) => `v${i}`);
    return () => Promise.all(repeat(4, () => sender.call('POST', '/tokenize', body, 'public')));
  }),
  shape('tokens with 4.7 MB of metadata', async (sender) => {
    await createWebhooks(sender, 1, true);
    const body = { type: 'token', data: 'x', metadata: largeMetadata(4.7 * MEGABYTES) };
    return async () => {
      for (let i = 0; i < 50; i++) await Promise.all(repeat(3, () => sender.call('POST', '/tokens', body)));
    };
  }),
  shape('9,000 tokens with a container of 190 levels', async (sender) => {
    const body = repeat(9_000, (i) => ({ type: 'token', data: `v${i}`, containers: [LEVELS] }));
    return () => sender.call('POST', '/tokenize', body);
  }),
  shape('20 lists of five tokens of 4.9 MB', async (sender) => {
    await createLargeTokens(sender, 5, 4.9 * MEGABYTES);
    return () => Promise.all(repeat(20, () => sender.call('GET', '/tokens?size=5')));
  }),
  shape('100 lists of five tokens of 4.9 MB that nobody reads', async (sender) => {
    await createLargeTokens(sender, 5, 4.9 * MEGABYTES);
    const { private: key } = sender.target.tenant.keys;
    const bytes = rawGet('/tokens?size=5', key);
    return () => sendUnread(sender, 100, bytes, false);
  }),
  shape(
    '40 reactor calls that wait',
    async (sender) => {
      const ids: string[] = [];
      const code = 'module.exports = async () => { await new Promise((r) => setTimeout(r, 29000)); }';
      for (let i = 0; i < 10; i++) ids.push(await createReactor(sender, code));
      return () =>
        Promise.all(repeat(40, (i) => sender.call('POST', `/reactors/${ids[i % 10]}/react`, { args: {} })));
    },
    'react',
  ),
  shape(
    '40 asynchronous reactor calls that wait',
    async (sender) => {
      const ids: string[] = [];
      const code = 'module.exports = async () => { await new Promise((r) => setTimeout(r, 200000)); }';
      for (let i = 0; i < 10; i++) ids.push(await createReactor(sender, code));
      const call = (id?: string) =>
        sender.call('POST', `/reactors/${id}/react-async`, { args: {}, timeout_ms: 210_000 });
      return () => Promise.all(repeat(40, (i) => call(ids[i % 10])));
    },
    'react',
  ),
  shape(
    '30 reactors with 4.8 MB of configuration',
    async (sender) => {
      const configuration = largeMetadata(4.8 * MEGABYTES);
      const code = 'module.exports = async () => ({})';
      return async () => {
        for (let i = 0; i < 30; i++)
          await sender.call('POST', '/reactors', { name: `r${i}`, code, configuration }, 'management');
        await Promise.all(repeat(4, () => sender.call('GET', '/reactors?size=100', undefined, 'management')));
      };
    },
    'create',
  ),
  shape('20 reactor results of 5 MB', async (sender) => {
    const id = await createReactor(
      sender,
      'module.exports = async () => ({ raw: Array.from({ length: 50000 }, (_, i) => "r".repeat(90) + i) })',
    );
    return () => Promise.all(repeat(20, () => sender.call('POST', `/reactors/${id}/react`, { args: {} })));
  }),
  shape('searches of 250 wildcards on 20,000 tokens', async (sender) => {
    const tokens = (from: number) =>
      repeat(5_000, (i) => ({ type: 'token', data: `v${from + i}`, metadata: { key: `value${from + i}` } }));
    for (let i = 0; i < 4; i++) await sender.call('POST', '/tokenize', tokens(i * 5_000));
    return () => Promise.all(repeat(20, () => sender.call('POST', '/tokens/search', { query: WILDCARDS })));
  }),
  shape('five connections with 20,000 pipelined requests each', async (sender) => {
    await sender.call('POST', '/tokens', { id: 'pipelined', type: 'token', data: 'x' });
    const { private: key } = sender.target.tenant.keys;
    const bytes = rawGet('/tokens/pipelined', key);
    return () => sendUnread(sender, 5, Buffer.concat(repeat(20_000, () => bytes)), true);
  }),
  shape('pages of 62 tokens with large masks', async (sender) => {
    for (let i = 0; i < 62; i++)
      await sender.call('POST', '/tokens', {
        type: 'token',
        data: `${i}`.padEnd(90_000, 'd'),
        mask: '{{ data | reveal_last: 4 }}',
      });
    return () =>
      Promise.all(repeat(20, () => sender.call('GET', '/tokens?size=62', undefined, 'management')));
  }),
  shape('20 tokens of 256 times 19 KB of metadata in one request', async (sender) => {
    const metadata = Object.fromEntries(repeat(256, (i) => [`key${i}`, 'm'.repeat(1_000)]));
    const body = repeat(20, (i) => ({ type: 'token', data: `v${i}`, metadata }));
    return () => Promise.all(repeat(20, () => sender.call('POST', '/tokenize', body)));
  }),
  shape(
    'asynchronous reactor calls with 4.9 MB of arguments',
    async (sender) => {
      const id = await createReactor(sender, 'module.exports = async () => { for (;;) {} }');
      const args = { text: 'a'.repeat(4.9 * MEGABYTES) };
      return async () => {
        for (let i = 0; i < 100; i++)
          await Promise.all(repeat(2, () => sender.call('POST', `/reactors/${id}/react-async`, { args })));
      };
    },
    'react',
  ),
];
