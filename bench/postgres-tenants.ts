import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { hasPostgres, PostgresServer } from '../test/support/postgres.js';
import { quantile } from './clients.js';
import { atLeast, atMost, type Measurement } from './measurement.js';
import { latencies, throughput } from './raw-client.js';
import { compareRates } from './rounds.js';
import type { EmulatorServer } from './servers.js';
import { CONNECTIONS, postCard, withEmulator } from './throughput.js';

/** Creates one after the other in a round of P2; about as many as fit into the second. */
const CREATES = 60;
const ROUNDS = 8;
const HELD_MS = 1_000;

/** Two emulators on one database, and another tenant, whose creates are sent to the second one. */
interface Pair {
  storeUrl: string;
  first: EmulatorServer;
  second: EmulatorServer;
  other: Buffer;
}

async function withPair<T>(use: (pair: Pair) => Promise<T>): Promise<T> {
  process.env.TOKENCTL_DATA_KEY = randomBytes(32).toString('base64');
  const server = await PostgresServer.start({ fsync: true });
  try {
    const storeUrl = await server.createDatabase();
    const flags = ['--store', storeUrl];
    return await withEmulator(flags, (first) =>
      withEmulator(flags, async (second) => {
        const other = postCard({ ...second, keys: await createTenant(first) });
        return use({ storeUrl, first, second, other });
      }),
    );
  } finally {
    delete process.env.TOKENCTL_DATA_KEY;
    await server.stop();
  }
}

async function createTenant({ port, controlToken }: EmulatorServer): Promise<EmulatorServer['keys']> {
  const response = await fetch(`http://127.0.0.1:${port}/_emulator/tenants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'other' }),
  });
  return ((await response.json()) as Pick<EmulatorServer, 'keys'>).keys;
}

/** P2: creates of a tenant while a commit of another one hangs. */
export async function createsBesideHangingCommit(): Promise<Measurement[]> {
  if (!hasPostgres) return [];
  const [quiet, beside] = await withPair(async ({ storeUrl, first, second, other }) => {
    const create = () => latencies(second.port, CREATES, () => other);
    await Promise.all([create(), latencies(first.port, CREATES, () => postCard(first))]);
    const times: [quiet: number[], beside: number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      times[0].push(...(await create()));
      times[1].push(...(await whileHeld(storeUrl, first, create)));
    }
    return times;
  });
  const [without, p99] = [quantile(quiet, 0.99), quantile(beside, 0.99)];
  const what = 'p99 of creates while a commit of another tenant is held for a second, against without';
  return [atMost('P2', what, 1.5, p99 / without, '×', ` (${p99.toFixed(1)} ms)`)];
}

/** Holds the lock of a tenant for which its emulator has a commit to make. */
async function whileHeld<T>(storeUrl: string, emulator: EmulatorServer, task: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: storeUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM tokenctl.tenant_locks WHERE tenant_id = $1 FOR UPDATE', [
    emulator.tenantId,
  ]);
  const held = latencies(emulator.port, 1, () => postCard(emulator));
  const end = new Promise((resolve) => setTimeout(resolve, HELD_MS));
  const result = await task();
  await end;
  await client.end();
  await held;
  return result;
}

/** P3: creates of two tenants through two processes, against those of one through one. */
export async function createsOfTwoTenants(): Promise<Measurement[]> {
  if (!hasPostgres) return [];
  const { ratio, more } = await withPair(({ first, second, other }) => {
    const request = postCard(first);
    const one = (ms: number) => throughput(first.port, CONNECTIONS, ms, () => request);
    const both = async (ms: number) => {
      const rates = await Promise.all([one(ms), throughput(second.port, CONNECTIONS, ms, () => other)]);
      return rates[0] + rates[1];
    };
    return compareRates(one, both);
  });
  const what = 'creates of two tenants through two processes, against one through one, 20 connections each';
  return [atLeast('P3', what, 1.3, ratio, '×', more)];
}
