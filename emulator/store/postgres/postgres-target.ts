import type { QueryConfig } from 'pg';
import type { BatchStart, CommitTarget } from '../commit-target.js';
import type { RecordCipher } from '../encryption.js';
import { BatchAbortedError, StorageError } from '../errors.js';
import type { Operation } from '../operation.js';
import type { Change, Entry } from '../store.js';
import { AssumedRecords, changesDocuments } from './assumed-records.js';
import { writeStatements } from './batch-writer.js';
import { Prefetch, type PrefetchedRecords } from './committed-records.js';
import type { Database } from './connection.js';
import { databaseError, isConnectionError, isDuplicate, isLockTimeout, isLostConnection } from './errors.js';
import { trimStatements } from './log-retention.js';
import { type RecordRow, type ScopedHasher, toRow } from './record-row.js';
import { WriterConnection } from './writer-connection.js';

/** Characters above which a batch takes no further commit. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;
/** Characters that a commit may have: far below what the driver and the server can take as one value. */
const MAX_COMMIT_CHARACTERS = 256 * 1024 * 1024;

interface PostgresTargetOptions {
  database: Database;
  cipher: RecordCipher;
  hasher: ScopedHasher;
  logger: { warn(message: string): void };
}

/** A batch that has begun. */
interface Batch {
  /** The revision that the database has, or is assumed to have. */
  expected: number;
  commits: readonly Change[][];
  committed: PrefetchedRecords | AssumedRecords;
}

/**
 * Writes each batch as one transaction, which locks the row of the table `store` first. Thus the commits of all processes
 * happen one after the other, each sees those before it, and revisions grow in the order of commits. While no other process
 * commits, a batch that only inserts is one statement, which takes the lock itself.
 */
export class PostgresTarget implements CommitTarget {
  readonly #options: PostgresTargetOptions;
  readonly #connection: WriterConnection;
  #number = 0;
  #batch: Batch | undefined;
  /** The rows of the batch. */
  #rows = new Map<Operation, RecordRow>();
  #characters = 0;
  /** The revision after the last batch of this process. */
  #lastRevision: number | undefined;
  /** Absent while other processes commit too: it would mostly be wrong. */
  #assumed: AssumedRecords | undefined;

  constructor(options: PostgresTargetOptions) {
    this.#options = options;
    this.#connection = new WriterConnection(options.database);
  }

  get isBatchFull(): boolean {
    return this.#characters >= BATCH_CHARACTERS;
  }

  begin(commits: readonly Change[][], entries: readonly Entry[]): BatchStart | Promise<BatchStart> {
    this.#rows = new Map();
    this.#characters = 0;
    const committed = this.#assumed;
    if (committed === undefined || !this.#connection.isOpen || !committed.suffices(commits, entries))
      return this.#beginLocked(commits, entries);
    const { revision } = committed;
    this.#batch = { expected: revision, commits, committed };
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
    const { expected, commits, committed } = batch;
    const isLocked = committed !== this.#assumed;
    if (operations.length === 0) {
      if (isLocked) await this.#connection.send(['ROLLBACK']).catch(() => {});
      return;
    }
    this.#number += 1;
    const header = {
      expected,
      revision,
      changesDocuments: operations.some(changesDocuments),
      writer: this.#connection.writer,
      batch: this.#number,
    };
    const { database } = this.#options;
    const statements = writeStatements(header, operations, this.#rows, (key) => committed.hasKey(key));
    const trims = trimStatements(operations);
    const isLong = this.isBatchFull || operations.some(({ op }) => op === 'clear');
    const transaction = [...statements, ...trims, 'COMMIT'];
    const inTime = isLong ? database.unhurried(transaction) : transaction;
    if (isLocked) await this.#commit(inTime);
    else await this.#commitAssumed(trims.length > 0 || isLong ? ['BEGIN', ...inTime] : statements);
    this.#lastRevision = revision;
    this.#assumed?.learn(commits, operations, committed);
    if (this.#assumed) this.#assumed.revision = revision;
  }

  reportLost(entries: number, error: unknown): void {
    this.#options.logger.warn(
      `Entries of the audit log could not be written (${entries}): ${(error as Error).message}`,
    );
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #beginLocked(commits: readonly Change[][], entries: readonly Entry[]): Promise<BatchStart> {
    const prefetch = new Prefetch(commits, entries, this.#options.hasher);
    try {
      const { revision, results } = await this.#connection.lock(prefetch.statements);
      const committed = prefetch.read(results);
      this.#batch = { expected: revision, commits, committed };
      if (revision !== this.#lastRevision) this.#assumed = undefined;
      else this.#assumed ??= new AssumedRecords(revision);
      return { committed, revision };
    } catch (error) {
      throw await this.#connection.rollBack(error);
    }
  }

  /** @returns whether the revision was the expected one */
  async #commit(statements: readonly (string | QueryConfig)[]): Promise<boolean> {
    try {
      const results = await this.#connection.send(statements);
      return results.some(({ rows }) => rows.length > 0);
    } catch (error) {
      if (!isConnectionError(error) || isLockTimeout(error)) throw await this.#connection.rollBack(error);
      this.#connection.drop();
      if (await this.#connection.hasCommitted(this.#number)) return true;
      // What was too slow once would be repeated for ever.
      if (!isLostConnection(error)) throw databaseError(error);
      throw new BatchAbortedError('the connection was cut before the commit', { cause: error });
    }
  }

  /** @throws BatchAbortedError an assumption was wrong: the batch is to be repeated without any */
  async #commitAssumed(statements: readonly (string | QueryConfig)[]): Promise<void> {
    const assumed = this.#assumed;
    this.#assumed = undefined;
    try {
      if (!(await this.#commit(statements))) throw new BatchAbortedError('another process has committed');
    } catch (error) {
      const { cause } = error as Error;
      if (isDuplicate(cause)) throw new BatchAbortedError('an id is taken', { cause });
      throw error;
    }
    this.#assumed = assumed;
  }
}
