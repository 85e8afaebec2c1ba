import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { BatchStart, CommitTarget } from '../commit-target.js';
import type { RecordCipher } from '../encryption.js';
import { BatchAbortedError, StorageError, StoreUnavailableError } from '../errors.js';
import type { PendingChanges } from '../pending-changes.js';
import type { RecordChange } from '../record-change.js';
import type { Change, Entry } from '../store.js';
import { writeStatements } from './batch-writer.js';
import { PrefetchedRecords } from './committed-records.js';
import { type Statement, sendTogether, unhurried } from './connection.js';
import { batchError, databaseError, isConnectionError, isLostConnection } from './errors.js';
import { trimStatements } from './log-retention.js';
import { type RecordRow, toRow } from './record-row.js';
import { COUNT_CHANGE, changesDocuments } from './shared-store.js';
import { beginExclusively, type LockedTenants } from './tenant-locks.js';
import type { TermHasher } from './terms.js';

/** Characters above which a batch takes no further commit. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;
/** Characters that a commit may have: far below what the driver and the server can take as one value. */
const MAX_COMMIT_CHARACTERS = 256 * 1024 * 1024;
/** Milliseconds to keep asking whether a commit succeeded after its connection dropped. */
const DOUBT_MS = 15_000;
const RETRY_MS = 200;

export interface PostgresTargetOptions {
  /** Its connections are for commits alone. */
  commitPool: Pool;
  cipher: RecordCipher;
  hasher: TermHasher;
}

interface Batch {
  /** Has the locks. */
  client: PoolClient;
  committed: PrefetchedRecords;
}

/** Writes each batch as one transaction, which locks its tenants: revisions grow in the order of commits. */
export class PostgresTarget implements CommitTarget {
  /** The name of this target in the table `writers`. */
  readonly #writer = randomUUID();
  #number = 0;
  #batch: Batch | undefined;
  #rows = new Map<RecordChange, RecordRow>();
  #characters = 0;

  constructor(
    private readonly options: PostgresTargetOptions,
    private readonly tenants: LockedTenants,
  ) {}

  get isBatchFull(): boolean {
    return this.#characters >= BATCH_CHARACTERS;
  }

  async begin(commits: readonly Change[][], entries: readonly Entry[]): Promise<BatchStart> {
    this.#rows = new Map();
    this.#characters = 0;
    const { commitPool, hasher } = this.options;
    const committed = new PrefetchedRecords(commits, entries, hasher);
    try {
      const { client, revision, results } = await beginExclusively(
        commitPool,
        this.tenants,
        committed.statements,
      );
      committed.read(results);
      this.#batch = { client, committed };
      return { committed, revision };
    } catch (error) {
      throw batchError(error);
    }
  }

  async add(commit: readonly RecordChange[]): Promise<void> {
    const { cipher, hasher } = this.options;
    const rows: [RecordChange, RecordRow][] = [];
    let characters = 0;
    try {
      for (const change of commit) {
        if (change.op !== 'put') continue;
        const row = toRow(change, cipher, hasher);
        characters += row.columns.record.length;
        if (characters > MAX_COMMIT_CHARACTERS)
          throw new RangeError(`more than ${MAX_COMMIT_CHARACTERS} characters`);
        rows.push([change, row]);
      }
    } catch (cause) {
      throw new StorageError('A change cannot be serialized or is too large to be stored', { cause });
    }
    for (const [change, row] of rows) this.#rows.set(change, row);
    this.#characters += characters;
  }

  async write(pending: PendingChanges, revision: number): Promise<void> {
    const batch = this.#batch as Batch;
    const { client } = batch;
    const isEmpty = pending.changes.length === 0;
    try {
      await sendTogether(client, isEmpty ? ['ROLLBACK'] : this.#statements(batch, pending, revision));
      client.release();
    } catch (error) {
      client.release(true);
      if (!isEmpty) await this.#resolveDoubt(error);
    }
  }

  async close(): Promise<void> {}

  #statements({ committed }: Batch, pending: PendingChanges, revision: number): Statement[] {
    this.#number += 1;
    const { changes } = pending;
    const header = { tenants: this.tenants, revision, writer: this.#writer, batch: this.#number };
    const transaction = [
      ...writeStatements(header, pending, this.#rows, (key) => committed.hasKey(key)),
      ...trimStatements(changes),
      ...(changes.some(changesDocuments) ? [COUNT_CHANGE] : []),
      'COMMIT',
    ];
    const isLong = this.isBatchFull || changes.some(({ op }) => op === 'clear');
    return isLong ? unhurried(transaction) : transaction;
  }

  /** Returns if a batch was committed although it failed. @throws why it was not */
  async #resolveDoubt(error: unknown): Promise<void> {
    if (!isConnectionError(error)) throw batchError(error);
    if (await this.#hasCommitted()) return;
    // What was too slow once would be repeated for ever.
    if (!isLostConnection(error)) throw databaseError(error);
    throw new BatchAbortedError('the connection was cut before the commit', { cause: error });
  }

  /** Finds out whether the last batch was committed: its locks are free only when that is certain. @throws 503 */
  async #hasCommitted(): Promise<boolean> {
    const statement = { text: 'SELECT batch FROM tokenctl.writers WHERE id = $1', values: [this.#writer] };
    const end = performance.now() + DOUBT_MS;
    for (;;) {
      try {
        const { client, results } = await beginExclusively(this.options.commitPool, this.tenants, [
          statement,
        ]);
        client.release(true);
        return Number(results[0]?.rows[0]?.batch) === this.#number;
      } catch (cause) {
        if (performance.now() > end) throw new StoreUnavailableError({ cause });
        await delay(RETRY_MS);
      }
    }
  }
}
