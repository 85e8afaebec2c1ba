import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryDataDir } from '../../support/data-dir.js';
import { LeakWatch } from '../../support/emulator.js';
import { measureHeldBytes } from '../../support/held-memory.js';
import { TestServer, useServer } from '../../support/test-server.js';
import { width } from '../../support/width.js';

/**
 * What the emulator may hold after a flood: more than its bounds, which are 8 MB each for events and journal, 16 KB for the
 * access checks of a call, and 16 MB each for records read from disk and values of tokens. Without its bound, every flood
 * leaves at least twice as much.
 */
const MAX_HELD_BYTES = 48_000_000;
const MB = 1_000_000;
const PARALLEL = 4;
const TAKEN_ID = 'taken';

type Send = (server: TestServer, index: number) => Promise<unknown>;

/** Sends requests of one kind. @returns the bytes that are held more than before */
async function flood(server: TestServer, requests: number, send: Send): Promise<number> {
  await send(server, 0);
  const before = await measureHeldBytes();
  let sent = 0;
  const lane = async () => {
    while (sent < requests) await send(server, ++sent);
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  return (await measureHeldBytes()) - before;
}

const zeros = (bytes: number) => `[${'0,'.repeat(bytes / 2 - 2)}0]`;

/** Creates a token and deletes it. */
const createAndDelete = async (server: TestServer, body: object) => {
  const { id } = await server.token({ type: 'token', data: 1, fingerprint_expression: 'x', ...body });
  await server.delete(`/tokens/${id}`);
};

/** Sends a body without telling its length. */
const sendChunked = (server: TestServer, path: string, text: string) =>
  fetch(server.emulator.url + path, {
    method: 'POST',
    headers: { 'svc-api-key': server.emulator.keys.private, 'content-type': 'application/json' },
    body: new Blob([text]).stream(),
    duplex: 'half',
  } as RequestInit).then((response) => response.text());

/** Containers that no other token has, as many and as long as they may be. */
const containersOf = (name: string) =>
  Array.from({ length: 64 }, (_, index) => `/${name}-${index}${'x'.repeat(380)}/`);

const FLOODS: Record<string, [requests: number, send: Send]> = {
  'bodies of many small values': [500, (server) => server.call('POST', '/tokens', { raw: zeros(65_000) })],
  'large bodies of unknown length': [12, (server) => sendChunked(server, '/tokens', zeros(2 * MB))],
  'tokens with containers of their own': [
    60,
    async (server, index) => {
      const tokens = Array.from({ length: 100 }, (_, at) => ({
        type: 'token',
        data: 1,
        containers: containersOf(`${index}-${at}`),
        // One id is taken, so that none is stored.
        id: at === 99 ? TAKEN_ID : `of-${index}-${at}`,
      }));
      const { status } = await server.post('/tokenize', tokens);
      expect(status).toBe(409);
    },
  ],
};

/** Floods take half a minute: a part of `npm run test:long`. */
describe.runIf(width(false, true))('the emulator forgets what callers sent', () => {
  const server = useServer();
  beforeAll(() => server.token({ type: 'token', data: 1, id: TAKEN_ID }));

  test.each(Object.entries(FLOODS))('%s', async (_name, [requests, send]) => {
    expect(await flood(server, requests, send)).toBeLessThan(MAX_HELD_BYTES);
  });
});

const largeData = (index: number) => ({ data: `${index}${'x'.repeat(2 * MB)}` });

describe.runIf(width(false, true))('the search for leaks', () => {
  const server = useServer({ leakWatch: new LeakWatch() });

  test('forgets the oldest values of tokens', async () => {
    const held = await flood(server, 60, (_server, index) => createAndDelete(server, largeData(index)));
    expect(held).toBeLessThan(MAX_HELD_BYTES);
  });
});

test.runIf(width(false, true))('tokens that were read from disk are held up to a size', async () => {
  const server = new TestServer({ dataDir: await temporaryDataDir() });
  await server.start();
  try {
    const held = await flood(server, 60, async (_server, index) => {
      const { id } = await server.token({ type: 'token', fingerprint_expression: 'x', ...largeData(index) });
      await server.get(`/tokens/${id}`);
    });
    expect(held).toBeLessThan(MAX_HELD_BYTES);
  } finally {
    await server.close();
  }
});
