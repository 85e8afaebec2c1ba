import { setImmediate as otherTurn } from 'node:timers/promises';
import { CommitValidator, Pending, RETRY_LATER } from './commit-validator.js';
import { numbered, type Operation } from './operation.js';
import type { IndexedLocation } from './record-location.js';
import type { CollectionName, Records, Stored } from './records.js';
import type { Change, Entry, Found, Insert, Query, Store } from './store.js';
import type { Tables } from './tables/tables.js';
import { inSlices } from './yielding.js';

/** Milliseconds that entries nobody waits for are gathered before they are written. */
const GATHER_MS = 50;
/** Entries that are written without waiting any longer. */
const GATHER_ENTRIES = 1000;

/** Makes operations durable, or keeps them nowhere. */
export interface WriteAheadLog {
  /** Writes commits, each all or nothing, and gives the place of every operation in turn. */
  write(commits: Operation[][]): Promise<IndexedLocation[]>;
  /** Everything up to this revision is visible. */
  applied(revision: number): void;
  /** Entries that nobody waits for could not be written. */
  lost(entries: number, error: unknown): void;
  /** Runs a task during which lines stay where they are, those of removed records too. */
  undisturbed<T>(task: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Waiting {
  changes: Change[];
  resolve(): void;
  reject(error: unknown): void;
}

interface Commit {
  waiting: Waiting;
  operations: Operation[];
}

/**
 * What the stores have in common: commits are checked one after the other, gathered into a batch while the batch before
 * is being written, and become visible when they are durable.
 */
export class CommitQueue implements Store {
  readonly #tables: Tables;
  readonly #recorder: WriteAheadLog;
  #queue: Waiting[] = [];
  #entries: Entry[] = [];
  /** Whoever waits for entries: those that were there when they came are in this batch or the one under way. */
  #looking: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #revision: number;

  /** `revision` is the highest one in use. */
  constructor(tables: Tables, recorder: WriteAheadLog, revision = 0) {
    this.#tables = tables;
    this.#recorder = recorder;
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
    // An entry is seen by whoever looks after it was recorded.
    if (collection === 'log' || collection === 'activity') await this.#recorded();
    return this.#tables.find(collection, query);
  }

  commit(changes: Change[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ changes, resolve, reject });
      void this.#start();
    });
  }

  record(entries: Entry[]): void {
    // One by one: the log of a snapshot may be more than a call takes arguments.
    for (const entry of entries) this.#entries.push(entry);
    if (this.#entries.length > GATHER_ENTRIES) void this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), GATHER_MS);
  }

  async copy(each: (change: Insert) => void | Promise<void>): Promise<void> {
    await this.#recorded();
    await this.#recorder.undisturbed(() => inSlices(this.#captured(), each));
  }

  *#captured(): Generator<Insert> {
    for (const { collection, records } of this.#tables.capture()) {
      for (let at = 0; at < records.length; at += 1) {
        const { revision: _, ...record } = records.read(at);
        yield { insert: collection, record } as Insert;
      }
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#start().then(() => this.#recorder.close());
    return this.#closed;
  }

  /** Answers when the entries recorded before the call are written, however many commits follow. */
  async #recorded(): Promise<void> {
    if (this.#entries.length === 0 && this.#running === undefined) return;
    await new Promise<void>((resolve) => {
      this.#looking.push(resolve);
      void this.#start();
    });
  }

  /** Answers when nothing waits any more. */
  #start(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      do {
        // Commits that arrive in the same turn of the event loop share a batch. Nothing to do ends here too, not sooner:
        // the caller must have noted that this runs before it is noted that it has run.
        await otherTurn();
        clearTimeout(this.#timer);
        this.#timer = undefined;
        const looking = this.#looking;
        this.#looking = [];
        const underWay = new Pending();
        const batch = this.#gather(underWay);
        await this.#write(batch, this.#gatherEntries(underWay));
        for (const resolve of looking) resolve();
      } while (this.#queue.length > 0 || this.#entries.length > 0 || this.#looking.length > 0);
    } finally {
      this.#running = undefined;
    }
  }

  async #write(batch: Commit[], entries: Operation[]): Promise<void> {
    const commits = batch.map(({ operations }) => operations);
    for (const entry of entries) commits.push([entry]);
    if (commits.length === 0) return;
    try {
      const places = await this.#recorder.write(commits);
      let at = 0;
      for (const operations of commits) {
        for (const operation of operations) this.#tables.apply(operation, places[at++]);
      }
      this.#recorder.applied(this.#revision);
      for (const { waiting } of batch) waiting.resolve();
    } catch (error) {
      for (const { waiting } of batch) waiting.reject(error);
      if (entries.length > 0) this.#recorder.lost(entries.length, error);
    }
  }

  /** The commits that can be written together; those that touch one of them stay in the queue. */
  #gather(underWay: Pending): Commit[] {
    const batch: Commit[] = [];
    const later: Waiting[] = [];
    for (const waiting of this.#queue) {
      try {
        const operations = new CommitValidator(this.#tables, underWay, this.#revision).run(waiting.changes);
        if (operations === RETRY_LATER) {
          later.push(waiting);
          continue;
        }
        // What it asked for is so already, and durable. In a batch it could stand before one that clears.
        if (operations.length === 0) {
          waiting.resolve();
          continue;
        }
        this.#revision += waiting.changes.length;
        for (const operation of operations) underWay.add(operation);
        batch.push({ waiting, operations });
      } catch (error) {
        waiting.reject(error);
      }
    }
    this.#queue = later;
    return batch;
  }

  #gatherEntries(underWay: Pending): Operation[] {
    const operations: Operation[] = [];
    for (const { insert: collection, record } of this.#entries) {
      const { tenant_id: tenantId, id } = record;
      // What was recorded before a clear goes with it, written down or not.
      if (underWay.isCleared(tenantId)) continue;
      // An entry of the log is always new; a token's activity of the month is there after its first read.
      if (collection === 'activity') {
        if (underWay.touches(collection, tenantId, id)) continue;
        if (this.#tables.of(collection, tenantId)?.has(id)) continue;
      }
      this.#revision += 1;
      const stored = numbered<Records[CollectionName]>(record, this.#revision);
      const operation = { op: 'put', collection, tenantId, record: stored } as Operation;
      operations.push(operation);
      underWay.add(operation);
    }
    this.#entries = [];
    return operations;
  }
}
