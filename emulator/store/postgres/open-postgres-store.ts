import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { StartError } from '../../lib/start-error.js';
import type { DataKey } from '../data-key.js';
import { createCipher, deriveKeys, keyCheck } from '../encryption.js';
import { wrongKey } from '../errors.js';
import type { SnapshotStorage } from '../snapshot-storage.js';
import type { SharedStore, Store, StoreProbe } from '../store.js';
import { Database } from './connection.js';
import { migrate, withMigrationLock } from './migrations.js';
import { createPostgresStore } from './postgres-store.js';
import { PostgresTarget } from './postgres-target.js';
import { postgresProbe } from './probe.js';
import { postgresSnapshotStorage } from './snapshot-storage.js';
import { TenantQueues } from './tenant-queues.js';
import { createTermHasher } from './terms.js';

export interface PostgresOptions {
  /** `postgres://user@host:5432/database`, without a password. */
  url: string;
  /** Encrypts token data and secrets. It is never in the database. */
  dataKey?: DataKey | undefined;
  /** Milliseconds that a statement may take. Default: 30,000. */
  statementTimeoutMs?: number | undefined;
  logger: { warn(message: string): void };
}

/** A store on a database, and what belongs to it. */
export interface OpenedPostgres {
  store: Store;
  shared: SharedStore;
  snapshotStorage: SnapshotStorage;
  probe: StoreProbe;
}

/** Opens the store of a database, whose schema is created or migrated first. @throws StartError */
export async function openPostgresStore(options: PostgresOptions): Promise<OpenedPostgres> {
  const database = new Database(options.url, options.statementTimeoutMs);
  return database.atStart(async (client) => {
    await assertOwnSession(client, database);
    return withMigrationLock(client, () => openTables(client, database, options));
  });
}

/** Other clients of a busy pooler may use a server's process in between. */
const POOLER_TRIES = 5;

/** @throws StartError a pooler gives two connections one session, as PgBouncer in its transaction mode */
async function assertOwnSession(client: Client, database: Database): Promise<void> {
  // A pooler has told the client another process than that of the server.
  if ((await processOf(client)) === (client as Client & { processID: number }).processID) return;
  await database.atStart(async (other) => {
    for (let tries = 0; tries < POOLER_TRIES; tries += 1) {
      if ((await processOf(client)) !== (await processOf(other))) continue;
      throw new StartError(
        'store_pooler',
        `The pooler before the database ${database.name} shares connections between transactions, and the emulator needs sessions.`,
      );
    }
  });
}

async function processOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

/** Migrates a database and opens its store. To be called with the lock of the migrations. */
export async function openTables(client: Client, database: Database, { dataKey, logger }: PostgresOptions) {
  if (dataKey === undefined)
    throw wrongKey(
      'A store on PostgreSQL is always encrypted: start with --encrypt and its key, or set TOKENCTL_DATA_KEY.',
    );
  await migrate(client);
  const keys = await openHeader(client, database.name, dataKey);
  // Nobody asks any more what became of the last batch of an emulator that was killed.
  await client.query("DELETE FROM tokenctl.writers WHERE seen_at < now() - interval '1 day'");
  const [pool, commitPool] = [await database.openPool(), await database.openPool()];
  const cipher = createCipher(keys.encryption);
  const target = { commitPool, cipher, hasher: createTermHasher(keys.hashing) };
  const queues = new TenantQueues((tenants) => new PostgresTarget(target, tenants), logger);
  const store = createPostgresStore({ ...target, queues, pool });
  return {
    store,
    shared: store.shared,
    snapshotStorage: postgresSnapshotStorage(pool, cipher),
    probe: postgresProbe(pool),
  };
}

/** Checks the data key of a database, or takes it for a new one. @throws StartError it is another key */
async function openHeader(client: Client, name: string, dataKey: DataKey) {
  // The lock makes a start fail at once if the server is read-only, or the user may only read.
  const { rows } = await client.query<{ id: string; key_check: string }>(
    'SELECT id, key_check FROM tokenctl.store FOR UPDATE',
  );
  const known = rows[0];
  const id = known?.id ?? randomUUID();
  const keys = deriveKeys(await dataKey(id, known === undefined));
  const check = keyCheck(keys.encryption);
  if (known === undefined)
    await client.query('INSERT INTO tokenctl.store (id, key_check) VALUES ($1, $2)', [id, check]);
  else if (known.key_check !== check)
    throw wrongKey(`${name} was encrypted with another key than the one given.`);
  return keys;
}
