import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import type { BatchStart, CommitTarget } from '../commit-target.js';
import type { RecordCipher } from '../encryption.js';
import { BatchAbortedError, StorageError, StoreUnavailableError } from '../errors.js';
import type { Operation } from '../operation.js';
import type { Change, Entry } from '../store.js';
import { AssumedRecords, changesDocuments } from './assumed-records.js';
import { writeStatements } from './batch-writer.js';
import { Prefetch, type PrefetchedRecords } from './committed-records.js';
import { type Database, sendTogether } from './connection.js';
import { COUNT_CHANGE } from './document-changes.js';
import {
  databaseError,
  isConnectionError,
  isDuplicate,
  isLockTimeout,
  isLostConnection,
  isRepeatable,
} from './errors.js';
import { trimStatements } from './log-retention.js';
import { type RecordRow, type ScopedHasher, toRow } from './record-row.js';
import { beginExclusively, type LockedTenants } from './tenant-locks.js';

/** Characters above which a batch takes no further commit. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;
/** Characters that a commit may have: far below what the driver and the server can take as one value. */
const MAX_COMMIT_CHARACTERS = 256 * 1024 * 1024;
/** Milliseconds for which a process tries to learn what became of a commit whose connection was cut. */
const DOUBT_MS = 15_000;
const RETRY_MS = 200;

export interface PostgresTargetOptions {
  database: Database;
  /** Its connections are for commits alone. */
  pool: Pool;
  cipher: RecordCipher;
  hasher: ScopedHasher;
  logger: { warn(message: string): void };
}

/** A batch that has begun. */
interface Batch {
  /** Has the locks; absent if the batch is assumed to need none. */
  client?: PoolClient;
  /** The revision that the tenants have, or are assumed to have. */
  revision: number;
  commits: readonly Change[][];
  committed: PrefetchedRecords | AssumedRecords;
}

/**
 * Writes each batch of some tenants as one transaction, which locks their rows of `tenant_locks` first. Thus their commits in all
 * processes happen one after the other, each sees those before it, and revisions grow in the order of commits. While no other
 * process commits for a tenant, a batch that only inserts is one statement, which takes the lock itself.
 */
export class PostgresTarget implements CommitTarget {
  readonly #options: PostgresTargetOptions;
  readonly #tenants: LockedTenants;
  /** The name of this target in the table `writers`. */
  readonly #writer = randomUUID();
  #number = 0;
  #batch: Batch | undefined;
  /** The rows of the batch. */
  #rows = new Map<Operation, RecordRow>();
  #characters = 0;
  /** The revision after the last batch. */
  #lastRevision: number | undefined;
  /** Absent while other processes commit too: it would mostly be wrong. */
  #assumed: AssumedRecords | undefined;

  constructor(options: PostgresTargetOptions, tenants: LockedTenants) {
    this.#options = options;
    this.#tenants = tenants;
  }

  get isBatchFull(): boolean {
    return this.#characters >= BATCH_CHARACTERS;
  }

  async begin(commits: readonly Change[][], entries: readonly Entry[]): Promise<BatchStart> {
    this.#rows = new Map();
    this.#characters = 0;
    const committed = this.#assumed;
    if (!committed?.suffices(commits, entries)) return this.#beginLocked(commits, entries);
    const { revision } = committed;
    this.#batch = { revision, commits, committed };
    return { committed, revision };
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
    const batch = this.#batch;
    this.#batch = undefined;
    if (batch === undefined) throw new Error('A batch must begin before it is written.');
    const { client, commits, committed } = batch;
    if (operations.length === 0) {
      await client?.query('ROLLBACK').then(
        () => client.release(),
        () => client.release(true),
      );
      return;
    }
    const statements = this.#statements(batch, operations, revision);
    if (client) await this.#commit(client, statements);
    else await this.#commitAssumed(statements);
    this.#lastRevision = revision;
    this.#assumed?.learn(commits, operations, committed);
    if (this.#assumed) this.#assumed.revision = revision;
  }

  reportLost(entries: number, error: unknown): void {
    this.#options.logger.warn(
      `Entries of the audit log could not be written (${entries}): ${(error as Error).message}`,
    );
  }

  async close(): Promise<void> {}

  async #beginLocked(commits: readonly Change[][], entries: readonly Entry[]): Promise<BatchStart> {
    const { pool, hasher } = this.#options;
    const prefetch = new Prefetch(commits, entries, hasher);
    try {
      const { client, revision, results } = await beginExclusively(pool, this.#tenants, prefetch.statements);
      const committed = prefetch.read(results);
      this.#batch = { client, revision, commits, committed };
      const isOfOne = this.#tenants !== 'all' && this.#tenants.length === 1;
      if (!isOfOne || revision !== this.#lastRevision) this.#assumed = undefined;
      else this.#assumed ??= new AssumedRecords(revision);
      return { committed, revision };
    } catch (error) {
      throw batchError(error);
    }
  }

  #statements(batch: Batch, operations: readonly Operation[], revision: number): (string | QueryConfig)[] {
    this.#number += 1;
    const isLocked = batch.client !== undefined;
    const header = {
      ...(!isLocked && { expected: batch.revision }),
      tenants: this.#tenants,
      revision,
      writer: this.#writer,
      batch: this.#number,
    };
    const writes = writeStatements(header, operations, this.#rows, (key) => batch.committed.hasKey(key));
    const trims = trimStatements(operations);
    const isLong = this.isBatchFull || operations.some(({ op }) => op === 'clear');
    if (!isLocked && trims.length === 0 && !isLong) return writes;
    const counted = operations.some(changesDocuments) ? [COUNT_CHANGE] : [];
    const transaction = [...writes, ...trims, ...counted, 'COMMIT'];
    return [
      ...(isLocked ? [] : ['BEGIN']),
      ...(isLong ? this.#options.database.unhurried(transaction) : transaction),
    ];
  }

  /** @returns whether records were inserted; also if that is not known */
  async #commit(client: PoolClient, statements: readonly (string | QueryConfig)[]): Promise<boolean> {
    try {
      const results = await sendTogether(client, statements);
      client.release();
      return results.some(({ command, rowCount }) => command === 'INSERT' && rowCount !== 0);
    } catch (error) {
      client.release(true);
      await this.#resolveDoubt(error);
      return true;
    }
  }

  /** @throws BatchAbortedError an assumption was wrong: the batch is to be repeated without any */
  async #commitAssumed(statements: readonly (string | QueryConfig)[]): Promise<void> {
    const assumed = this.#assumed;
    this.#assumed = undefined;
    try {
      const client = await this.#options.pool.connect();
      if (!(await this.#commit(client, statements)))
        throw new BatchAbortedError('another process has committed');
    } catch (error) {
      const { cause } = error as Error;
      if (isDuplicate(cause)) throw new BatchAbortedError('an id is taken', { cause });
      throw databaseError(error);
    }
    this.#assumed = assumed;
  }

  /** Returns if a batch was committed although it failed. @throws why it was not */
  async #resolveDoubt(error: unknown): Promise<void> {
    if (!isConnectionError(error) || isLockTimeout(error)) throw batchError(error);
    if (await this.#hasCommitted()) return;
    // What was too slow once would be repeated for ever.
    if (!isLostConnection(error)) throw databaseError(error);
    throw new BatchAbortedError('the connection was cut before the commit', { cause: error });
  }

  /**
   * Finds out whether the last batch was committed, whose connection was cut. The locks are free again only when it is certain: a
   * statement that the server has received and not begun finds another revision then, and does nothing.
   * @throws StoreUnavailableError the database does not come back in time
   */
  async #hasCommitted(): Promise<boolean> {
    const statement = { text: 'SELECT batch FROM tokenctl.writers WHERE id = $1', values: [this.#writer] };
    const end = performance.now() + DOUBT_MS;
    for (;;) {
      try {
        const { client, results } = await beginExclusively(this.#options.pool, this.#tenants, [statement]);
        await sendTogether(client, [...nextRevision(this.#tenants), 'COMMIT']).finally(() =>
          client.release(true),
        );
        return Number(results[0]?.rows[0]?.batch) === this.#number;
      } catch (cause) {
        if (performance.now() > end) throw new StoreUnavailableError({ cause });
        await delay(RETRY_MS);
      }
    }
  }
}

/** Only a batch of one tenant may be on its way without a lock. */
function nextRevision(tenants: LockedTenants): QueryConfig[] {
  if (tenants === 'all') return [];
  const text = 'UPDATE tokenctl.tenant_locks SET revision = revision + 1 WHERE tenant_id = ANY($1::text[])';
  return [{ text, values: [tenants] }];
}

function batchError(cause: unknown): unknown {
  return isRepeatable(cause)
    ? new BatchAbortedError('the transaction is to be repeated', { cause })
    : databaseError(cause);
}
