import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { collectionOf } from '../collections.js';
import type { BatchStart, CommitTarget } from '../commit-queue.js';
import type { RecordCipher } from '../encryption.js';
import { BatchAbortedError, StorageError, StoreUnavailableError } from '../errors.js';
import type { Operation } from '../operation.js';
import type { Change, Entry } from '../store.js';
import { writeOperations } from './batch-writer.js';
import { PrefetchedRecords } from './committed-records.js';
import type { Database } from './connection.js';
import { databaseError, isConnectionError, isRepeatable } from './errors.js';
import { trimLog } from './log-retention.js';
import { type RecordRow, type ScopedHasher, toRow } from './record-row.js';

/** Characters above which a batch takes no further commit. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;
/** Characters that a commit may have: far below what the driver and the server can take as one value. */
const MAX_COMMIT_CHARACTERS = 256 * 1024 * 1024;
/** Milliseconds for which a process tries to learn what became of a commit whose connection was cut. */
const DOUBT_MS = 15_000;
const RETRY_MS = 200;
/** Milliseconds for which a commit waits for those of other processes. */
const LOCK_TIMEOUT_MS = 10_000;

export interface PostgresTargetOptions {
  database: Database;
  cipher: RecordCipher;
  hasher: ScopedHasher;
  logger: { warn(message: string): void };
}

/** A batch in its transaction. */
interface Transaction {
  client: Client;
  committed: PrefetchedRecords;
}

/**
 * Writes each batch as one transaction, which locks the row of the table `store` first. Thus the commits of all processes
 * happen one after the other, each sees those before it, and revisions grow in the order of commits.
 */
export class PostgresTarget implements CommitTarget {
  readonly #options: PostgresTargetOptions;
  /** The name of this process in the table `writers`. */
  readonly #writer = randomUUID();
  #batch = 0;
  #client: Client | undefined;
  #transaction: Transaction | undefined;
  /** The rows of the batch. */
  #rows = new Map<Operation, RecordRow>();
  #characters = 0;

  constructor(options: PostgresTargetOptions) {
    this.#options = options;
  }

  get isBatchFull(): boolean {
    return this.#characters >= BATCH_CHARACTERS;
  }

  async begin(commits: readonly Change[][], entries: readonly Entry[]): Promise<BatchStart> {
    this.#rows = new Map();
    this.#characters = 0;
    let isLocked = false;
    try {
      const { client, revision } = await this.#lock();
      isLocked = true;
      const committed = await PrefetchedRecords.read(client, commits, entries, this.#options.hasher);
      this.#transaction = { client, committed };
      return { committed, revision };
    } catch (error) {
      const failure = await this.#rollBack(error);
      // Lost since the lock was taken: the next batch connects again, or finds that the database is away.
      throw isLocked && isConnectionError(error) ? new BatchAbortedError('the connection was cut') : failure;
    }
  }

  add(commit: readonly Operation[]): void {
    const { cipher, hasher } = this.#options;
    const rows: [Operation, RecordRow][] = [];
    let characters = 0;
    try {
      for (const operation of commit) {
        if (operation.op !== 'put') continue;
        const row = toRow(operation, cipher, hasher);
        characters += row.record.length;
        if (characters > MAX_COMMIT_CHARACTERS)
          throw new RangeError(`more than ${MAX_COMMIT_CHARACTERS} characters`);
        rows.push([operation, row]);
      }
    } catch (cause) {
      throw new StorageError('A change cannot be serialized or is too large to be stored', { cause });
    }
    for (const [operation, row] of rows) this.#rows.set(operation, row);
    this.#characters += characters;
  }

  async write(operations: readonly Operation[], revision: number): Promise<void> {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    if (transaction === undefined) throw new Error('A batch must begin before it is written.');
    const { client, committed } = transaction;
    try {
      if (operations.length > 0) {
        await writeOperations(client, operations, this.#rows, (key) => committed.hasKey(key));
        await trimLog(client, operations);
      }
    } catch (error) {
      const failure = await this.#rollBack(error);
      throw isConnectionError(error)
        ? new BatchAbortedError('the connection was cut before the commit', { cause: error })
        : failure;
    }
    if (operations.length === 0) await this.#send(client, 'ROLLBACK').catch(() => {});
    else await this.#commit(client, revision, operations.some(changesDocuments));
  }

  reportLost(entries: number, error: unknown): void {
    this.#options.logger.warn(`${entries} entries of the audit log could not be written: ${String(error)}`);
  }

  async close(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    await this.#send(client, `DELETE FROM tokenctl.writers WHERE id = '${this.#writer}'`).catch(() => {});
    this.#client = undefined;
    await client.end().catch(() => {});
  }

  /** Begins a transaction and waits for the commits of other processes. A connection that turns out to be lost is replaced. */
  async #lock(): Promise<{ client: Client; revision: number }> {
    try {
      return await this.#lockWith(this.#client ?? (await this.#connect()));
    } catch (error) {
      const lost = this.#client;
      if (lost === undefined || !isConnectionError(error)) throw error;
      this.#drop(lost);
      return this.#lockWith(await this.#connect());
    }
  }

  async #lockWith(client: Client): Promise<{ client: Client; revision: number }> {
    const results = await this.#send(client, 'BEGIN; SELECT revision FROM tokenctl.store FOR UPDATE');
    return { client, revision: Number(results[1]?.rows[0]?.revision) };
  }

  async #connect(): Promise<Client> {
    const client = await this.#options.database.connect();
    await client.query(`SET synchronous_commit = on; SET lock_timeout = ${LOCK_TIMEOUT_MS}; SET jit = off`);
    this.#client = client;
    return client;
  }

  /** Sends several statements at once. */
  async #send(client: Client, text: string): Promise<{ rows: { revision: string }[] }[]> {
    const results: unknown = await client.query(text);
    return (Array.isArray(results) ? results : [results]) as { rows: { revision: string }[] }[];
  }

  async #commit(client: Client, revision: number, withDocuments: boolean): Promise<void> {
    this.#batch += 1;
    try {
      await this.#send(
        client,
        `INSERT INTO tokenctl.writers (id, batch) VALUES ('${this.#writer}', ${this.#batch})
           ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, seen_at = now();
         UPDATE tokenctl.store SET revision = ${revision}${withDocuments ? `, documents = ${revision}` : ''};
         COMMIT`,
      );
    } catch (error) {
      if (!isConnectionError(error)) throw await this.#rollBack(error);
      this.#drop(client);
      if (!(await this.#hasCommitted(this.#batch)))
        throw new BatchAbortedError('the connection was cut before the commit', { cause: error });
    }
  }

  /**
   * Finds out whether a batch was committed whose connection was cut. The lock is free again only when it is certain.
   * @throws StoreUnavailableError the database does not come back in time
   */
  async #hasCommitted(batch: number): Promise<boolean> {
    const end = performance.now() + DOUBT_MS;
    for (;;) {
      try {
        const { client } = await this.#lock();
        const { rows } = await client.query<{ batch: string }>(
          'SELECT batch FROM tokenctl.writers WHERE id = $1',
          [this.#writer],
        );
        await client.query('ROLLBACK');
        return Number(rows[0]?.batch) === batch;
      } catch (cause) {
        if (this.#client) this.#drop(this.#client);
        if (performance.now() > end) throw new StoreUnavailableError({ cause });
        await delay(RETRY_MS);
      }
    }
  }

  /** Ends a transaction that failed, and returns the error to throw. */
  async #rollBack(error: unknown): Promise<unknown> {
    const client = this.#client;
    if (client && isConnectionError(error)) this.#drop(client);
    else if (client) await this.#send(client, 'ROLLBACK').catch(() => this.#drop(client));
    return isRepeatable(error)
      ? new BatchAbortedError('the transaction is to be repeated', { cause: error })
      : databaseError(error);
  }

  #drop(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    void client.end().catch(() => {});
  }
}

/** Whether an operation changes what processes keep in memory. */
function changesDocuments(operation: Operation): boolean {
  return operation.op === 'clear' || collectionOf(operation.collection).kind === 'document';
}
