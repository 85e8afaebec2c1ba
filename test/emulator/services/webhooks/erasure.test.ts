import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PATIENCE } from '../../../support/patience.js';
import { createApplication, createReactor, react } from '../../../support/reactors.js';
import { TestServer } from '../../../support/test-server.js';

const ECHO = 'module.exports = async (req) => ({ raw: req.args });';

let dataDir: string;
let server: TestServer;
/** A receiver of callbacks that never takes one. */
let receiver: Server;
const received: string[] = [];
/** What happens when the code asks for `/gate`. */
let atGate = async () => {};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tokenctl-removed-'));
  server = new TestServer({ dataDir });
  await server.start();
  // The receiver gets the retries of earlier tests at no time but that to which a test moves the clock.
  server.emulator.clock.freeze();
  receiver = createServer(async (request, response) => {
    if (request.url === '/gate') return void response.end(await atGate());
    received.push(await text(request));
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  receiver.close();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const receiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

async function filesWith(secret: string): Promise<string[]> {
  const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // A file may be replaced while it is looked for.
  const contents = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')));
  return paths.filter((_path, index) => contents[index]?.includes(secret));
}

/** decisions.md: "within one second after DELETE is answered, after a sweep, and after a cvc purge"; a busy machine gets more. */
const gone = (secret: string) =>
  vi.waitFor(async () => expect(await filesWith(secret)).toEqual([]), PATIENCE);

/** A token whose plaintext stands in as many places as it can. */
async function spread(secret: string): Promise<string> {
  const headers = { 'SVC-IDEMPOTENCY-KEY': 'once' };
  const body = {
    type: 'token',
    data: secret,
    mask: '{{ data }}',
    search_indexes: ['{{ data }}'],
  };
  const { id } = await server.token(body, { headers });
  const reactor = await createReactor(server, ECHO);
  expect((await react(server, reactor, { used: `{{ ${id} }}` }, { headers })).body).toEqual({
    raw: { used: secret },
  });
  await server.post(`/reactors/${reactor}/react`, {
    args: { used: `{{ ${id} }}` },
    callback_url: receiverUrl(),
  });
  await vi.waitFor(() => expect(received.join()).toContain(secret), PATIENCE);
  expect(await filesWith(secret)).not.toEqual([]);
  return id;
}

describe('a callback that waits for delivery is deleted with the tokens whose data it contains', () => {
  it('after DELETE the plaintext is in no file of the data directory', async () => {
    const id = await spread('secret-to-be-deleted');
    await server.delete(`/tokens/${id}`);
    await gone('secret-to-be-deleted');
  });

  it('the receiver gets a problem instead of the result', async () => {
    received.length = 0;
    await server.emulator.clock.advance(2_000);
    await vi.waitFor(() => expect(received).toHaveLength(1), PATIENCE);
    expect(JSON.parse(received[0] ?? '')).toMatchObject({ status: 503, instance: expect.any(String) });
    expect(received[0]).not.toContain('secret-to-be-deleted');
  });
});

describe('a result that is not yet complete is not delivered either', () => {
  /** @param code with a `/gate` in it, at which the token goes */
  async function reactAndDelete(code: string, secret: string): Promise<void> {
    received.length = 0;
    const { id: application } = await createApplication(server, { permissions: ['token:use'] });
    const reactor = await createReactor(server, code.replace('/gate', `${receiverUrl()}gate`), {
      application: { id: application },
    });
    const { id } = await server.token({ type: 'token', data: secret });
    atGate = async () => void (await server.delete(`/tokens/${id}`));
    const answer = await server.post(`/reactors/${reactor}/react`, {
      args: code.includes('detokenize') ? { id } : { used: `{{ ${id} }}` },
      callback_url: receiverUrl(),
    });
    expect(answer.status).toBe(202);
    await vi.waitFor(() => expect(received).toHaveLength(1), PATIENCE);
    expect(JSON.parse(received[0] ?? '')).toMatchObject({ status: 503, instance: expect.any(String) });
    await gone(secret);
  }

  it('when the token is deleted while the code is being loaded', async () => {
    const code = `await fetch('/gate');
      export default async ({ args }) => ({ raw: args });`;
    await reactAndDelete(code, 'secret-of-an-argument');
  });

  it('when the code has read the token itself', async () => {
    const code = `module.exports = async ({ args, svc }) => {
      const raw = await svc.detokenize('{{ ' + args.id + ' }}');
      await fetch('/gate');
      return { raw };
    }`;
    await reactAndDelete(code, 'secret-asked-for');
  });
});
