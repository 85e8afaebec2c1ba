import { createTermHasher } from '../index/term-hash.js';
import { type DataKey, WrongKeyError } from '../manifest.js';
import type { SnapshotStorage } from '../snapshots.js';
import type { Store } from '../store.js';
import { Database } from './connection.js';
import { openManifest } from './manifest.js';
import { migrate, pendingMigrations, withMigrationLock } from './migrations.js';
import { PostgresStore } from './postgres-store.js';
import { PostgresTarget } from './postgres-target.js';
import { scopeHasher } from './record-row.js';
import { postgresSnapshotStorage } from './snapshot-storage.js';

export interface PostgresOptions {
  /** `postgres://user@host:5432/database`, without a password. */
  url: string;
  /** Encrypts token data and secrets. It is never in the database. */
  dataKey?: DataKey | undefined;
  logger: { warn(message: string): void };
}

/**
 * Opens the store of a database, whose schema is created or migrated first.
 *
 * @throws StartError the database cannot be reached, or refuses the user
 * @throws WrongKeyError the data key is missing, or is not that of the database
 * @throws FormatError a newer version has migrated the database
 */
export async function openPostgresStore({
  url,
  dataKey,
  logger,
}: PostgresOptions): Promise<{ store: Store; snapshotStorage: SnapshotStorage }> {
  const database = new Database(url);
  if (dataKey === undefined) {
    throw new WrongKeyError(
      'A store on PostgreSQL is always encrypted: start with --encrypt and its key, or set TOKENCTL_DATA_KEY',
    );
  }
  const client = await database.connectAtStart();
  try {
    const { cipher, hashKey } = await withMigrationLock(client, async () => {
      await migrate(client);
      return openManifest(client, database.name, dataKey);
    });
    const pool = await database.openPool();
    const hasher = scopeHasher(createTermHasher(hashKey));
    const target = new PostgresTarget({ database, cipher, hasher, logger });
    return {
      store: new PostgresStore({ target, pool, cipher, hasher }),
      snapshotStorage: postgresSnapshotStorage(pool, cipher),
    };
  } catch (error) {
    throw database.startError(error);
  } finally {
    await client.end();
  }
}

/** A change of the schema: its number, from 1, and what it adds. */
export interface SchemaChange {
  version: number;
  name: string;
}

/** Migrates a database to the schema of this version. With `dryRun`, only returns what that would do. */
export async function migrateDatabase(url: string, { dryRun }: { dryRun: boolean }): Promise<SchemaChange[]> {
  const database = new Database(url);
  const client = await database.connectAtStart();
  try {
    const migrations = dryRun
      ? await pendingMigrations(client)
      : await withMigrationLock(client, () => migrate(client));
    return migrations.map(({ version, name }) => ({ version, name }));
  } catch (error) {
    throw database.startError(error);
  } finally {
    await client.end();
  }
}
