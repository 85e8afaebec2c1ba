import type { Context } from '../../command.js';
import { migrateDatabase } from '../../emulator/launch.js';
import { usageError } from '../../lib/errors.js';
import { storeUrl } from './options.js';

interface MigrateOptions {
  store?: string | undefined;
  dryRun?: boolean | undefined;
}

/** Migrates the database of a store, which `emulator start` does too, and prints what was done. */
export async function run({ store, dryRun = false }: MigrateOptions, context: Context): Promise<void> {
  const url = storeUrl({ store, memory: undefined, durability: undefined }, context);
  if (url === undefined) {
    throw usageError(
      'No database is given.',
      'Set --store or TOKENCTL_STORE to a URL such as postgres://user@host/database.',
    );
  }
  const migrations = await migrateDatabase(url, { dryRun });
  await context.output.list(migrations, {
    redaction: 'plain',
    columns: [
      { title: 'VERSION', field: 'version' },
      { title: 'NAME', field: 'name' },
    ],
    empty: 'The database is up to date.',
  });
  if (migrations.length === 0) return;
  context.output.notice(dryRun ? 'Nothing was changed.' : 'The database is up to date now.');
}
