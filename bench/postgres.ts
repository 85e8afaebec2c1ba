import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as PgClient, Pool } from 'pg';
import { hasPostgres, PostgresServer } from '../test/support/postgres.js';
import { CONNECTIONS, compareRates, type Rate, rateOf, send } from './clients.js';
import { atLeast, atMost, type Measurement, quantile, timeInTurn } from './measurement.js';
import { atEnd, connect, type EmulatorServer, startEmulator } from './servers.js';
import { postCard } from './throughput.js';

/** Creates one after the other in a round of P2; about as many as fit into the second. */
const CREATES = 60;
const ROUNDS = 8;
const HELD_MS = 1_000;

/** Makes a benchmark of emulators on a database of a new PostgreSQL. Without PostgreSQL, nothing is measured. */
const onDatabase =
  (measure: (storeUrl: string, server: PostgresServer) => Promise<Measurement>) =>
  async (): Promise<Measurement[]> => {
    if (!hasPostgres) {
      process.stderr.write('Not measured: there is no PostgreSQL in /usr/lib/postgresql\n');
      return [];
    }
    const server = await PostgresServer.start({ fsync: true });
    atEnd(() => server.stop());
    return [await measure(await server.createDatabase(), server)];
  };

/** P1: POST /tokens on PostgreSQL, answered after the commit, against a bare INSERT. */
export const postgresCreates = onDatabase(async (storeUrl, server) => {
  const emulator = await startEmulator(['--store', storeUrl]);
  const create = rateOf(emulator.url, postCard(emulator));
  await create(1);
  const size = await bytesOfCard(server, storeUrl);
  const insert = await rateOfInserts(await server.createDatabase(), size);
  const { ratio, more } = await compareRates(insert, create);
  const what = 'POST /tokens on PostgreSQL, card, 20 connections, against a bare INSERT of as many bytes';
  return atLeast('P1', what, 0.2, ratio, '×', more);
});

/** The bytes of the records that one POST /tokens stores: the token and its audit entry. */
async function bytesOfCard(server: PostgresServer, storeUrl: string): Promise<number> {
  const [row] = await server.query<{ bytes: number }>(
    `SELECT sum(average)::integer AS bytes FROM (
       SELECT avg(octet_length(record)) AS average FROM tokenctl.records
       WHERE collection IN ('tokens', 'log') GROUP BY collection
     ) averages`,
    storeUrl,
  );
  return row?.bytes ?? 0;
}

/** Inserts rows through a pool of connections, each row in a transaction of its own. */
async function rateOfInserts(connectionString: string, size: number): Promise<Rate> {
  const pool = new Pool({ connectionString, max: CONNECTIONS });
  atEnd(() => pool.end());
  await pool.query('CREATE TABLE rows (id text PRIMARY KEY, record text NOT NULL)');
  const record = randomBytes(size / 2).toString('hex');
  return async (seconds) => {
    const began = performance.now();
    let inserted = 0;
    const insert = async () => {
      while (performance.now() < began + seconds * 1000) {
        await pool.query('INSERT INTO rows VALUES ($1, $2)', [randomUUID(), record]);
        inserted += 1;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, insert));
    return (inserted * 1000) / (performance.now() - began);
  };
}

/** Starts two emulators on one database, with another tenant than that of the first. */
async function startPair(storeUrl: string) {
  const first = await startEmulator(['--store', storeUrl]);
  const second = await startEmulator(['--store', storeUrl]);
  const other = await (await connect(second)).tenants.create('other');
  atEnd(() => other.close());
  return { first, second, other };
}

/** P2: creates of a tenant while a commit of another one hangs. */
export const createsBesideHangingCommit = onDatabase(async (storeUrl) => {
  const { first, second, other } = await startPair(storeUrl);
  const quiet: number[] = [];
  const beside: number[] = [];
  const create = () => latencies(second, CREATES, other);
  await Promise.all([create(), latencies(first, CREATES, first)]);
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(...(await create()));
    beside.push(...(await whileHeld(storeUrl, first, create)));
  }
  const [without, p99] = [quantile(quiet, 0.99), quantile(beside, 0.99)];
  const what = 'p99 of creates while a commit of another tenant is held for a second, against without';
  return atMost('P2', what, 1.5, p99 / without, '×', ` (${p99.toFixed(1)} ms)`);
});

/** Milliseconds of each of a number of creates, one after the other. */
async function latencies({ url }: EmulatorServer, count: number, tenant: Pick<EmulatorServer, 'keys'>) {
  const [times = []] = await timeInTurn(count, () => send(url, postCard(tenant)));
  return times;
}

/** Holds the lock of a tenant for which its emulator has a commit to make. */
async function whileHeld<T>(storeUrl: string, emulator: EmulatorServer, task: () => Promise<T>): Promise<T> {
  const client = new PgClient({ connectionString: storeUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM tokenctl.tenant_locks WHERE tenant_id = $1 FOR UPDATE', [
    emulator.tenantId,
  ]);
  const held = latencies(emulator, 1, emulator);
  const end = sleep(HELD_MS);
  const result = await task();
  await end;
  await client.end();
  await held;
  return result;
}

/** P3: creates of two tenants through two processes, against those of one through one. */
export const createsOfTwoTenants = onDatabase(async (storeUrl) => {
  const { first, second, other } = await startPair(storeUrl);
  const one = rateOf(first.url, postCard(first));
  const two = rateOf(second.url, postCard(other));
  const both: Rate = async (seconds) => {
    const [here, there] = await Promise.all([one(seconds), two(seconds)]);
    return here + there;
  };
  const { ratio, more } = await compareRates(one, both);
  const what = 'creates of two tenants through two processes, against one through one, 20 connections each';
  return atLeast('P3', what, 1.3, ratio, '×', more);
});
