import type { Client } from 'pg';
import { StartError } from '../../lib/start-error.js';
import { type Database, endConnection } from './connection.js';

/** Other clients of a busy pooler may use a server's process in between. */
const TRIES = 5;

/**
 * Finds out whether a pooler between the emulator and the database keeps the sessions of its clients apart: settings, prepared
 * statements and locks belong to one.
 * @throws StartError two connections share a process of the server, as in the transaction mode of PgBouncer
 */
export async function assertOwnSession(client: Client, database: Database): Promise<void> {
  // A pooler has told the client another process than that of the server.
  if ((await processOf(client)) === (client as Client & { processID: number }).processID) return;
  const other = await database.connectAtStart();
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if ((await processOf(client)) !== (await processOf(other))) continue;
      throw new StartError(
        'store_pooler',
        `The pooler before the database ${database.name} shares connections between transactions, and the emulator needs sessions.`,
      );
    }
  } finally {
    await endConnection(other);
  }
}

async function processOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}
