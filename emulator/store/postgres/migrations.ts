import { readFile } from 'node:fs/promises';
import type { Client, QueryConfig } from 'pg';
import { packageFile } from '../../../src/contract/files.js';
import { unknownFormat } from '../errors.js';

/** A change of the schema. Never edit one that was released: add another. */
interface Migration {
  /** Counted from 1 without gaps. */
  version: number;
  name: string;
  /** In `migrations/`. */
  file: string;
}

/** Milliseconds that a migration of a large database may take. */
export const MIGRATION_TIMEOUT_MS = 3_600_000;

/** Any number that nothing else in the database locks. */
export const MIGRATION_LOCK = 7_063_286_121;

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'records with their terms and counts, snapshots, and what processes decide together',
    file: '001-records.sql',
  },
];

/** Lists the migrations that a database lacks. @throws StartError a newer version has migrated it */
export async function pendingMigrations(client: Client): Promise<readonly Migration[]> {
  const { rows } = await client.query<{ known: string | null }>(
    "SELECT to_regclass('tokenctl.migrations')::text AS known",
  );
  if (!rows[0]?.known) return MIGRATIONS;
  const applied = await client.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM tokenctl.migrations',
  );
  const version = applied.rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length)
    throw unknownFormat(
      `The database has schema version ${version}, and this version of tokenctl knows up to ${MIGRATIONS.length}: use a newer version.`,
    );
  return MIGRATIONS.slice(version);
}

/** Runs a task while no other process migrates the database. @param client its own: the lock ends with it */
export async function withMigrationLock<T>(client: Client, task: () => Promise<T>): Promise<T> {
  await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const result = await task();
  await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  return result;
}

/** Applies the migrations that a database lacks, each whole or not at all. To be called with the lock. */
export async function migrate(client: Client): Promise<readonly Migration[]> {
  const pending = await pendingMigrations(client);
  if (pending.length === 0) return pending;
  await client.query(`
    CREATE SCHEMA IF NOT EXISTS tokenctl;
    CREATE TABLE IF NOT EXISTS tokenctl.migrations (
      version integer PRIMARY KEY,
      name text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`);
  for (const { version, name, file } of pending) {
    const sql = await readFile(packageFile(`#migrations/${file}`), 'utf8');
    const applied = `INSERT INTO tokenctl.migrations (version, name) VALUES (${version}, '${name}')`;
    const text = `BEGIN; SET LOCAL statement_timeout = 0; ${sql}; ${applied}; COMMIT`;
    await client.query({ text, query_timeout: MIGRATION_TIMEOUT_MS } as QueryConfig);
  }
  return pending;
}
