import { randomBytes, randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { hasPostgres, PostgresServer } from '../test/support/postgres.js';
import { atLeast, type Measurement } from './measurement.js';
import { throughput } from './raw-client.js';
import { compareRates, type Rate } from './rounds.js';
import { CONNECTIONS, postCard, withEmulator } from './throughput.js';

const SAMPLE_MS = 200;

/** P1: POST /tokens on PostgreSQL, answered after the commit, against a bare INSERT. */
export async function postgresCreates(): Promise<Measurement[]> {
  if (!hasPostgres) {
    process.stderr.write('P1 was not measured: there is no PostgreSQL in /usr/lib/postgresql\n');
    return [];
  }
  process.env.TOKENCTL_DATA_KEY = randomBytes(32).toString('base64');
  const server = await PostgresServer.start({ fsync: true });
  try {
    const storeUrl = await server.createDatabase();
    const { ratio, more } = await withEmulator(['--store', storeUrl], async (emulator) => {
      const request = postCard(emulator);
      const create: Rate = (ms) => throughput(emulator.port, CONNECTIONS, ms, () => request);
      await create(SAMPLE_MS);
      const size = await bytesOfCard(server, storeUrl);
      return withInserts(await server.createDatabase(), size, (insert) => compareRates(insert, create));
    });
    const what = 'POST /tokens on PostgreSQL, card, 20 connections, against a bare INSERT of as many bytes';
    return [atLeast('P1', what, 0.2, ratio, '×', more)];
  } finally {
    delete process.env.TOKENCTL_DATA_KEY;
    await server.stop();
  }
}

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
async function withInserts<T>(
  connectionString: string,
  size: number,
  use: (insert: Rate) => Promise<T>,
): Promise<T> {
  const pool = new Pool({ connectionString, max: CONNECTIONS });
  try {
    await pool.query('CREATE TABLE rows (id text PRIMARY KEY, record text NOT NULL)');
    const record = randomBytes(size / 2).toString('hex');
    return await use(async (ms) => {
      const began = performance.now();
      let inserted = 0;
      const insert = async () => {
        while (performance.now() < began + ms) {
          await pool.query('INSERT INTO rows VALUES ($1, $2)', [randomUUID(), record]);
          inserted += 1;
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, insert));
      return (inserted * 1000) / (performance.now() - began);
    });
  } finally {
    await pool.end();
  }
}
