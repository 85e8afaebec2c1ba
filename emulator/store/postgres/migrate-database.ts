import { Database } from './connection.js';
import { MIGRATION_TIMEOUT_MS, migrate, pendingMigrations, withMigrationLock } from './migrations.js';

// The package publishes the declarations of this file, which must name nothing of the driver.

/** Migrates a database and returns what was changed. With `dryRun`, only returns what that would do. */
export async function migrateDatabase(url: string, { dryRun }: { dryRun: boolean }) {
  return new Database(url, MIGRATION_TIMEOUT_MS).atStart(async (client) => {
    const migrations = dryRun
      ? await pendingMigrations(client)
      : await withMigrationLock(client, () => migrate(client));
    return migrations.map(({ version, name }) => ({ version, name }));
  });
}
