import { setImmediate as nextTurn } from 'node:timers/promises';
import { CommitValidator, RETRY_LATER } from './commit-validator.js';
import { type Operation, withRevision } from './operation.js';
import { PendingOperations } from './pending-operations.js';
import type { CollectionName, Records, Stored } from './records.js';
import type { Change, Entry, Found, Insert, Query, Store } from './store.js';
import type { Tables } from './tables/tables.js';
import type { WriteAheadLog } from './write-ahead-log.js';
import { forEachYielding } from './yielding.js';

/** Milliseconds that entries nobody waits for are gathered before they are written. */
const GATHER_MS = 50;
/** Entries above which they are written at once. */
const GATHER_ENTRIES = 1000;

interface QueuedCommit {
  changes: Change[];
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The store over tables and a write-ahead log. Commits are validated one after the other, gathered into a batch while the
 * previous batch is being written, and become visible when they are durable.
 */
export class CommitQueue implements Store {
  readonly #tables: Tables;
  readonly #log: WriteAheadLog;
  #queue: QueuedCommit[] = [];
  #entries: Entry[] = [];
  /** Resolved when the entries that were recorded before are written. */
  #entriesWaiters: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #revision: number;

  /** `revision` is the highest one in use. */
  constructor(tables: Tables, log: WriteAheadLog, revision = 0) {
    this.#tables = tables;
    this.#log = log;
    this.#revision = revision;
  }

  async get<N extends CollectionName>(
    collection: N,
    tenantId: string,
    id: string,
  ): Promise<Stored<Records[N]> | undefined> {
    return this.#tables.of(collection, tenantId)?.get(id);
  }

  async find<N extends CollectionName>(collection: N, query: Query<N>): Promise<Found<Records[N]>> {
    if (collection === 'log' || collection === 'activity') await this.#writeEntries();
    return this.#tables.find(collection, query);
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

  async copy(each: (change: Insert) => void | Promise<void>): Promise<void> {
    await this.#writeEntries();
    await this.#log.whilePaused(() => forEachYielding(insertsOf(this.#tables.capture()), each));
  }

  close(): Promise<void> {
    this.#closed ??= this.#start().then(() => this.#log.close());
    return this.#closed;
  }

  /** Waits for the entries that were recorded before the call, however many commits follow. */
  async #writeEntries(): Promise<void> {
    if (this.#entries.length === 0 && this.#running === undefined) return;
    await new Promise<void>((resolve) => {
      this.#entriesWaiters.push(resolve);
      void this.#start();
    });
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
        // `#start` has assigned `#running`.
        await nextTurn();
        clearTimeout(this.#timer);
        this.#timer = undefined;
        const waiters = this.#entriesWaiters;
        this.#entriesWaiters = [];
        await this.#writeBatch();
        for (const resolve of waiters) resolve();
      } while (this.#queue.length > 0 || this.#entries.length > 0 || this.#entriesWaiters.length > 0);
    } finally {
      this.#running = undefined;
    }
  }

  async #writeBatch(): Promise<void> {
    const pending = new PendingOperations();
    const commits = this.#gatherCommits(pending);
    const entries = this.#gatherEntries(pending);
    const { operations } = pending;
    if (operations.length === 0) return;
    try {
      const locations = await this.#log.write(operations);
      operations.forEach((operation, i) => {
        this.#tables.apply(operation, locations[i]);
      });
      this.#log.afterApply(this.#revision);
      for (const { resolve } of commits) resolve();
    } catch (error) {
      for (const { reject } of commits) reject(error);
      if (entries > 0) this.#log.reportLost(entries, error);
    }
  }

  /** Takes the commits that can be written together; those that touch one of them stay in the queue. */
  #gatherCommits(pending: PendingOperations): QueuedCommit[] {
    const taken: QueuedCommit[] = [];
    const later: QueuedCommit[] = [];
    for (const commit of this.#queue) {
      try {
        const operations = this.#log.isBatchFull
          ? RETRY_LATER
          : new CommitValidator(this.#tables, pending, this.#revision).run(commit.changes);
        if (operations === RETRY_LATER) later.push(commit);
        // What it asks for is so already, and durable; in a batch it could come before one that clears.
        else if (operations.length === 0) commit.resolve();
        else {
          this.#log.add(operations);
          this.#revision += commit.changes.length;
          for (const operation of operations) pending.add(operation);
          taken.push(commit);
        }
      } catch (error) {
        commit.reject(error);
      }
    }
    this.#queue = later;
    return taken;
  }

  /** Returns how many entries are to be written. */
  #gatherEntries(pending: PendingOperations): number {
    const before = pending.operations.length;
    for (const { insert: collection, record } of this.#entries) {
      const { tenant_id: tenantId, id } = record;
      // What was recorded before a clear goes with it, written or not.
      if (pending.isCleared(tenantId)) continue;
      // An entry of the log is always new; a token's activity of the month exists after its first read.
      if (collection === 'activity') {
        if (pending.touches(collection, tenantId, id)) continue;
        if (this.#tables.of(collection, tenantId)?.revisionOf(id) !== undefined) continue;
      }
      this.#revision += 1;
      const revision = this.#revision;
      const keys = this.#tables.keysOf(collection, record);
      const stored = withRevision(record, revision);
      const operation: Operation = { op: 'put', collection, tenantId, revision, record: stored, keys };
      try {
        this.#log.add([operation]);
        pending.add(operation);
      } catch (error) {
        this.#log.reportLost(1, error);
      }
    }
    this.#entries = [];
    return pending.operations.length - before;
  }
}

function* insertsOf(captured: ReturnType<Tables['capture']>): Generator<Insert> {
  for (const { collection, records } of captured) {
    for (const { revision: _, ...record } of records) yield { insert: collection, record } as Insert;
  }
}
