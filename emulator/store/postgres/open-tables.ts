import type { Client } from 'pg';
import { WrongKeyError } from '../errors.js';
import type { Database } from './connection.js';
import { migrate } from './migrations.js';
import type { OpenedPostgres, PostgresOptions } from './opened-postgres.js';
import { PostgresStore } from './postgres-store.js';
import { PostgresTarget } from './postgres-target.js';
import { postgresProbe } from './probe.js';
import { postgresSnapshotStorage } from './snapshot-storage.js';
import { openHeader } from './store-header.js';
import { TenantQueues } from './tenant-queues.js';
import { createTermHasher } from './term-hash.js';

/** Migrates a database and opens its store. To be called with the lock of the migrations. */
export async function openTables(
  client: Client,
  database: Database,
  { dataKey, logger }: PostgresOptions,
): Promise<OpenedPostgres> {
  if (dataKey === undefined) {
    throw new WrongKeyError(
      'A store on PostgreSQL is always encrypted: start with --encrypt and its key, or set TOKENCTL_DATA_KEY.',
    );
  }
  await migrate(client);
  const { cipher, hashKey } = await openHeader(client, database.name, dataKey);
  // Nobody asks any more what became of the last batch of an emulator that was killed.
  await client.query("DELETE FROM tokenctl.writers WHERE seen_at < now() - interval '1 day'");
  const [pool, commitPool] = [await database.openPool(), await database.openPool()];
  const hasher = createTermHasher(hashKey);
  const target = { database, pool: commitPool, cipher, hasher, logger };
  const queues = new TenantQueues((tenants) => new PostgresTarget(target, tenants));
  const store = new PostgresStore({ queues, database, pool, commitPool, cipher, hasher });
  return {
    store,
    shared: store.shared,
    snapshotStorage: postgresSnapshotStorage({ database, pool, cipher }),
    probe: postgresProbe(pool),
  };
}
