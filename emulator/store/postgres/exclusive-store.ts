import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { StartError } from '../../lib/start-error.js';
import { Database, LONG_STATEMENT_TIMEOUT_MS } from './connection.js';
import { startError } from './errors.js';
import { MIGRATION_LOCK } from './migrations.js';
import { type OpenedPostgres, openTables, type PostgresOptions } from './open-postgres-store.js';

/** Milliseconds that the server takes at most to notice that an emulator has stopped. */
const LINGER_MS = 2_000;
const RETRY_MS = 100;
/** Empties all tables but that of the migrations. */
const EMPTY = `BEGIN; SET LOCAL search_path = tokenctl; TRUNCATE store, records, terms, counts, snapshots, writers,
  tenant_locks, document_changes, state, claims, request_windows, messages; COMMIT`;

/** A database that no emulator uses: those that start wait. */
interface ExclusivePostgres extends OpenedPostgres {
  /** `host:port/database`, for messages. */
  name: string;
  /** Removes everything, with its files. @throws when the connection was cut, with the lock; nothing was removed then */
  empty(): Promise<void>;
}

/** Opens the store of a database for one task of this process alone. @throws StartError `store_in_use` */
export async function withExclusiveStore<T>(
  options: PostgresOptions,
  task: (opened: ExclusivePostgres) => Promise<T>,
): Promise<T> {
  // What is moved may be large: each statement has as long as one has anywhere.
  const database = new Database(options.url, LONG_STATEMENT_TIMEOUT_MS);
  const { name } = database;
  const [end] = await database.atStart(async (client) => {
    await lock(client, name);
    const opened = await openTables(client, database, options);
    const empty = async () => {
      // Sent on the connection that holds the lock: if that was cut, nothing happens.
      await client.query(EMPTY).catch((error) => {
        throw startError(error, `database ${name}`);
      });
    };
    // What the task throws does not say that the database cannot be opened.
    return Promise.allSettled([task({ ...opened, name, empty }).finally(() => opened.store.close())]);
  });
  if (end.status === 'rejected') throw end.reason;
  return end.value;
}

/** Takes the lock that every start takes, once no emulator that started before is connected. */
async function lock(client: Client, name: string): Promise<void> {
  const end = performance.now() + LINGER_MS;
  // CASE has an order, AND has none: who is connected is looked up under the lock.
  const text = `SELECT CASE WHEN pg_try_advisory_lock($1) THEN NOT EXISTS (
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'tokenctl' AND pid <> pg_backend_pid()
    ) ELSE false END AS "isAlone"`;
  for (;;) {
    const { rows } = await client.query<{ isAlone: boolean }>(text, [MIGRATION_LOCK]);
    if (rows[0]?.isAlone) return;
    if (performance.now() > end)
      throw new StartError('store_in_use', `An emulator is connected to the database ${name}.`);
    await delay(RETRY_MS);
  }
}
