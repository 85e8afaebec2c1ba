import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atLeast, type Measurement } from './measurement.js';
import { encode, throughput } from './raw-client.js';
import { compareRates } from './rounds.js';
import { type EmulatorServer, startEcho, startEmulatorProcess } from './servers.js';

export const CONNECTIONS = 20;
const CARD = {
  type: 'card',
  data: { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' },
  metadata: { customer: 'cus_1' },
};

export async function withEmulator<T>(
  flags: string[],
  use: (emulator: EmulatorServer) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
  const emulator = await startEmulatorProcess(join(directory, 'data'), ...flags);
  try {
    return await use(emulator);
  } finally {
    await emulator.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function againstEcho(
  flags: string[],
  requests: (emulator: EmulatorServer) => Promise<[base: Buffer, subject: Buffer]>,
): Promise<{ ratio: number; more: string }> {
  const echo = await startEcho();
  try {
    return await withEmulator(flags, async (emulator) => {
      const [base, subject] = await requests(emulator);
      return compareRates(
        (ms) => throughput(echo.port, CONNECTIONS, ms, () => base),
        (ms) => throughput(emulator.port, CONNECTIONS, ms, () => subject),
      );
    });
  } finally {
    await echo.stop();
  }
}

export function postCard({ keys }: EmulatorServer): Buffer {
  return encode({ method: 'POST', path: '/tokens', headers: { 'SVC-API-KEY': keys.private }, body: CARD });
}

/** H1: POST /tokens, acknowledged after fdatasync. */
export async function durableCreates(): Promise<Measurement> {
  const base = encode({ method: 'POST', path: '/', body: CARD });
  const measured = await againstEcho([], async (emulator) => [base, postCard(emulator)]);
  const what = 'POST /tokens, card, after fdatasync, 20 connections, against a raw node:http JSON echo';
  return atLeast('H1', what, 0.25, measured.ratio, '×', measured.more);
}

/** H2: the same with --memory. */
export async function memoryCreates(): Promise<Measurement> {
  const base = encode({ method: 'POST', path: '/', body: CARD });
  const measured = await againstEcho(['--memory'], async (emulator) => [base, postCard(emulator)]);
  return atLeast(
    'H2',
    'POST /tokens with --memory, against the same',
    0.45,
    measured.ratio,
    '×',
    measured.more,
  );
}

/** Stores a card `count` times; returns the id of the last one. */
async function storeCards({ port, keys }: EmulatorServer, count: number): Promise<string> {
  let id = '';
  for (let stored = 0; stored < count; stored += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/tokens`, {
      method: 'POST',
      headers: { 'SVC-API-KEY': keys.private, 'content-type': 'application/json' },
      body: JSON.stringify(CARD),
    });
    ({ id } = (await response.json()) as { id: string });
  }
  return id;
}

/** Creates an application that reads masked data. The private one of the emulator reveals it. */
async function createMaskingKey({ port, keys }: EmulatorServer): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/applications`, {
    method: 'POST',
    headers: { 'SVC-API-KEY': keys.management, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'masked', type: 'private', permissions: ['token:read'] }),
  });
  return ((await response.json()) as { key: string }).key;
}

/** A GET with a key, and one to which the raw server responds with a body of the same length. */
async function getPair(
  { port }: EmulatorServer,
  path: string,
  key: string,
): Promise<[base: Buffer, subject: Buffer]> {
  const headers = { 'SVC-API-KEY': key };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const { byteLength } = await response.arrayBuffer();
  return [encode({ method: 'GET', path: `/?bytes=${byteLength}` }), encode({ method: 'GET', path, headers })];
}

/** H3: GET /tokens/{id}. */
export async function reads(): Promise<Measurement> {
  const measured = await againstEcho([], async (emulator) =>
    getPair(emulator, `/tokens/${await storeCards(emulator, 1)}`, emulator.keys.private),
  );
  return atLeast(
    'H3',
    'GET /tokens/{id} against a raw node:http GET',
    0.6,
    measured.ratio,
    '×',
    measured.more,
  );
}

/** H4: a page of 20 masked tokens. */
export async function maskedPages(): Promise<Measurement> {
  const measured = await againstEcho([], async (emulator) => {
    await storeCards(emulator, 20);
    return getPair(emulator, '/tokens?size=20', await createMaskingKey(emulator));
  });
  const what = 'GET /tokens?size=20, masked, against a raw node:http GET of the same size';
  return atLeast('H4', what, 0.35, measured.ratio, '×', measured.more);
}
