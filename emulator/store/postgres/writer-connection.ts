import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, QueryConfig, QueryResult } from 'pg';
import { BatchAbortedError, StoreUnavailableError } from '../errors.js';
import { type Database, endConnection, sendTogether } from './connection.js';
import { databaseError, isConnectionError, isRepeatable } from './errors.js';

/** Milliseconds for which a process tries to learn what became of a commit whose connection was cut. */
const DOUBT_MS = 15_000;
const RETRY_MS = 200;
/** Milliseconds for which a commit waits for those of other processes. */
const LOCK_TIMEOUT_MS = 10_000;

/** A transaction that excludes all others. */
interface Locked {
  /** The highest revision in use. */
  revision: number;
  /** Of the statements that it began with. */
  results: QueryResult[];
}

/** The connection that the batches of a process are written to. */
export class WriterConnection {
  readonly #database: Database;
  /** The name of this process in the table `writers`. */
  readonly writer = randomUUID();
  #client: Client | undefined;
  /** The last connection that ended. */
  #ended: Client | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether there is a connection that has not ended as far as is known. */
  get isOpen(): boolean {
    return this.#client !== undefined && this.#client !== this.#ended;
  }

  /**
   * Begins a transaction, waits for the commits of other processes and executes statements. A connection that turns out to
   * be lost is replaced.
   */
  async lock(statements: readonly QueryConfig[]): Promise<Locked> {
    try {
      return await this.#lockWith(this.#client ?? (await this.#connect()), statements);
    } catch (error) {
      const lost = this.#client;
      if (lost === undefined || !isConnectionError(error)) throw error;
      this.drop();
      return this.#lockWith(await this.#connect(), statements);
    }
  }

  /** Sends statements in one message. */
  async send(statements: readonly (string | QueryConfig)[]): Promise<QueryResult[]> {
    return sendTogether(this.#client ?? (await this.#connect()), statements);
  }

  /**
   * Finds out whether a batch was committed whose connection was cut. The lock is free again only when it is certain: a
   * statement that the server has received and not begun finds another revision then, and does nothing. After a batch that
   * was committed, this process finds another revision too, and validates its next batch twice.
   * @throws StoreUnavailableError the database does not come back in time
   */
  async hasCommitted(batch: number): Promise<boolean> {
    const end = performance.now() + DOUBT_MS;
    for (;;) {
      try {
        const { results } = await this.lock([
          { text: 'SELECT batch FROM tokenctl.writers WHERE id = $1', values: [this.writer] },
        ]);
        await this.send(['UPDATE tokenctl.store SET revision = revision + 1; COMMIT']);
        return Number(results[0]?.rows[0]?.batch) === batch;
      } catch (cause) {
        this.drop();
        if (performance.now() > end) throw new StoreUnavailableError({ cause });
        await delay(RETRY_MS);
      }
    }
  }

  /** Ends a transaction that failed, and returns the error to throw. */
  async rollBack(error: unknown): Promise<unknown> {
    if (isConnectionError(error)) this.drop();
    else await this.#client?.query('ROLLBACK').catch(() => this.drop());
    return isRepeatable(error)
      ? new BatchAbortedError('the transaction is to be repeated', { cause: error })
      : databaseError(error);
  }

  drop(): void {
    const client = this.#client;
    this.#client = undefined;
    if (client) void endConnection(client);
  }

  async close(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    await client.query(`DELETE FROM tokenctl.writers WHERE id = '${this.writer}'`).catch(() => {});
    this.#client = undefined;
    await endConnection(client);
  }

  async #lockWith(client: Client, statements: readonly QueryConfig[]): Promise<Locked> {
    // Each statement sees what was committed before it began: those after the lock see all commits.
    const [, lock, ...results] = await sendTogether(client, [
      'BEGIN; SELECT revision FROM tokenctl.store FOR UPDATE',
      ...statements,
    ]);
    return { revision: Number(lock?.rows[0]?.revision), results };
  }

  async #connect(): Promise<Client> {
    const client = await this.#database.connect();
    await client.query(`SET synchronous_commit = on; SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    client.once('end', () => {
      this.#ended = client;
    });
    this.#client = client;
    return client;
  }
}
