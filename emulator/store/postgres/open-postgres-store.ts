import { Database, endConnection, STATEMENT_TIMEOUT_MS } from './connection.js';
import { migrate, pendingMigrations, withMigrationLock } from './migrations.js';
import { openTables } from './open-tables.js';
import type { OpenedPostgres, PostgresOptions } from './opened-postgres.js';
import { assertOwnSession } from './pooler.js';

/**
 * Opens the store of a database, whose schema is created or migrated first.
 *
 * @throws StartError the database cannot be reached, refuses the user, or is behind a pooler without sessions
 * @throws WrongKeyError the data key is missing, or is not that of the database
 * @throws FormatError a newer version has migrated the database
 */
export async function openPostgresStore(options: PostgresOptions): Promise<OpenedPostgres> {
  const { url, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const database = new Database(url, statementTimeoutMs);
  const client = await database.connectAtStart();
  try {
    await assertOwnSession(client, database);
    return await withMigrationLock(client, () => openTables(client, database, options));
  } catch (error) {
    throw database.startError(error);
  } finally {
    await endConnection(client);
  }
}

/** A change of the schema: its number, from 1, and what it adds. */
interface SchemaChange {
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
    await endConnection(client);
  }
}
