import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CommittedRecords, CommitValidator, RETRY_LATER } from './commit-validator.js';
import { BatchAbortedError } from './errors.js';
import { type Operation, withRevision } from './operation.js';
import { PendingOperations } from './pending-operations.js';
import type { Change, Entry } from './store.js';

/** Milliseconds that entries nobody waits for are gathered before they are written. */
const GATHER_MS = 50;
/** Entries above which they are written at once. */
const GATHER_ENTRIES = 1000;

/** What a batch begins with. */
export interface BatchStart {
  committed: CommittedRecords;
  /** The highest revision in use. */
  revision: number;
}

/** Where a commit queue writes to: a write-ahead log on disk, memory, or a database. */
export interface CommitTarget {
  /** Whether the next commit must wait for the next batch. */
  readonly isBatchFull: boolean;
  /**
   * Begins a batch.
   * @param commits all that may become part of it
   */
  begin(commits: readonly Change[][], entries: readonly Entry[]): BatchStart | Promise<BatchStart>;
  /**
   * Serializes a commit and adds it to the batch.
   *
   * @throws StorageError it cannot be serialized; the batch is as before
   */
  add(commit: readonly Operation[]): void;
  /**
   * Makes the batch durable and visible, or nothing of it. `operations` are those of its commits, perhaps none.
   *
   * @param revision the highest revision that the batch may have used
   * @throws BatchAbortedError the batch is to be validated again
   */
  write(operations: readonly Operation[], revision: number): Promise<void>;
  /** Entries that nobody waits for could not be written. */
  reportLost(entries: number, error: unknown): void;
  close(): Promise<void>;
}

interface QueuedCommit {
  changes: Change[];
  resolve(): void;
  reject(error: unknown): void;
}

/** A batch that is being gathered: what is in it, and the operations that result. */
interface Batch {
  commits: QueuedCommit[];
  entries: Entry[];
  pending: PendingOperations;
}

/**
 * Validates commits one after the other and gathers them into a batch while the previous batch is being written. They
 * become visible when they are durable.
 */
export class CommitQueue {
  readonly #target: CommitTarget;
  #queue: QueuedCommit[] = [];
  /** Commits of the last batch that are durable and not resolved yet. */
  #written: QueuedCommit[] = [];
  #entries: Entry[] = [];
  /** Resolved when the entries that were recorded before are written. */
  #entriesWaiters: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #revision = 0;

  constructor(target: CommitTarget) {
    this.#target = target;
  }

  commit(changes: Change[]): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#queue.push({ changes, resolve, reject });
      void this.#start();
    });
  }

  record(entries: Entry[]): void {
    // Not `push(...entries)`: the number of arguments of a call is limited.
    for (const entry of entries) this.#entries.push(entry);
    if (this.#entries.length > GATHER_ENTRIES) void this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), GATHER_MS);
  }

  /** Waits for the entries that were recorded before the call, however many commits follow. */
  async writeEntries(): Promise<void> {
    if (this.#entries.length === 0 && this.#running === undefined) return;
    await new Promise<void>((resolve) => {
      this.#entriesWaiters.push(resolve);
      void this.#start();
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#start().then(() => this.#target.close());
    return this.#closed;
  }

  /** Writes batches until nothing is queued. */
  #start(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      do {
        // Commits of the same turn of the event loop share a batch. Even with nothing to do this must not end before
        // `#start` has assigned `#running`. After a batch, those that have arrived in the meantime are written at once.
        if (this.#written.length === 0) await nextTurn();
        clearTimeout(this.#timer);
        this.#timer = undefined;
        const waiters = this.#entriesWaiters;
        this.#entriesWaiters = [];
        // What was aborted is in the queue again.
        if (await this.#writeBatch()) for (const resolve of waiters) resolve();
        else this.#entriesWaiters = [...waiters, ...this.#entriesWaiters];
        if (this.#queue.length === 0) this.#resolveWritten();
      } while (this.#queue.length > 0 || this.#entries.length > 0 || this.#entriesWaiters.length > 0);
    } finally {
      this.#running = undefined;
    }
  }

  /** @returns whether the batch has ended, and need not be repeated */
  async #writeBatch(): Promise<boolean> {
    const [queue, entries] = [this.#queue, this.#entries];
    if (queue.length === 0 && entries.length === 0) return true;
    this.#queue = [];
    this.#entries = [];
    const batch: Batch = { commits: queue, entries, pending: new PendingOperations() };
    try {
      const changes = queue.map((commit) => commit.changes);
      const beginning = this.#target.begin(changes, entries);
      if (beginning instanceof Promise) this.#resolveWritten();
      const { committed, revision } = await beginning;
      this.#revision = revision;
      this.#gatherCommits(batch, committed);
      this.#gatherEntries(batch, committed);
      const writing = this.#target.write(batch.pending.operations, this.#revision);
      this.#resolveWritten();
      await writing;
      this.#written = batch.commits;
      return true;
    } catch (error) {
      this.#resolveWritten();
      return this.#end(batch, error);
    }
  }

  /**
   * Resolves the commits of the last batch. What their callers do next takes the processor: the next batch is sent first, so
   * that the disk or the database works in the meantime.
   */
  #resolveWritten(): void {
    const written = this.#written;
    this.#written = [];
    for (const { resolve } of written) resolve();
  }

  /** Ends a batch that failed. @returns whether it need not be repeated */
  #end({ commits, entries }: Batch, error: unknown): boolean {
    if (error instanceof BatchAbortedError) {
      this.#queue = [...commits, ...this.#queue];
      this.#entries = [...entries, ...this.#entries];
      return false;
    }
    for (const { reject } of commits) reject(error);
    if (entries.length > 0) this.#target.reportLost(entries.length, error);
    return true;
  }

  /** Keeps the commits that can be written together in the batch; those that touch one of them go back to the queue. */
  #gatherCommits(batch: Batch, committed: CommittedRecords): void {
    const { commits, pending } = batch;
    batch.commits = [];
    const later: QueuedCommit[] = [];
    for (const commit of commits) {
      try {
        const operations = this.#target.isBatchFull
          ? RETRY_LATER
          : new CommitValidator(committed, pending, this.#revision).run(commit.changes);
        if (operations === RETRY_LATER) later.push(commit);
        // What it asks for is so already, and durable; in a batch it could come before one that clears.
        else if (operations.length === 0) commit.resolve();
        else {
          this.#target.add(operations);
          this.#revision += commit.changes.length;
          for (const operation of operations) pending.add(operation);
          batch.commits.push(commit);
        }
      } catch (error) {
        commit.reject(error);
      }
    }
    this.#queue = [...later, ...this.#queue];
  }

  /** Keeps the entries that are to be written in the batch. */
  #gatherEntries(batch: Batch, committed: CommittedRecords): void {
    const { entries, pending } = batch;
    batch.entries = [];
    for (const entry of entries) {
      const { insert: collection, record } = entry;
      const { tenant_id: tenantId, id } = record;
      // What was recorded before a clear goes with it, written or not.
      if (pending.isCleared(tenantId)) continue;
      // An entry of the log is always new; a token's activity of the month exists after its first read.
      if (collection === 'activity') {
        if (pending.touches(collection, tenantId, id)) continue;
        if (committed.revisionOf(collection, tenantId, id) !== undefined) continue;
      }
      this.#revision += 1;
      const revision = this.#revision;
      const keys = committed.keysOf(collection, record);
      const stored = withRevision(record, revision);
      const operation: Operation = { op: 'put', collection, tenantId, revision, record: stored, keys };
      try {
        this.#target.add([operation]);
        pending.add(operation);
        batch.entries.push(entry);
      } catch (error) {
        this.#target.reportLost(1, error);
      }
    }
  }
}
