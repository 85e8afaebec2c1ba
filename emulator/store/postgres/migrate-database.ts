import { Database, endConnection } from './connection.js';
import { MIGRATION_TIMEOUT_MS, migrate, pendingMigrations, withMigrationLock } from './migrations.js';

// The package publishes the declarations of this file, which must name nothing of the driver.

/** A change of the schema: its number, from 1, and what it adds. */
interface SchemaChange {
  version: number;
  name: string;
}

/** Migrates a database to the schema of this version. With `dryRun`, only returns what that would do. */
export async function migrateDatabase(url: string, { dryRun }: { dryRun: boolean }): Promise<SchemaChange[]> {
  const database = new Database(url, MIGRATION_TIMEOUT_MS);
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
