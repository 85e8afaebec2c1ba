import { type BatchStart, CommitQueue, type CommitTarget } from './commit-queue.js';
import type { Operation } from './operation.js';
import type { CollectionName, Records, Stored } from './records.js';
import type { Change, Entry, Found, Insert, Query, Store } from './store.js';
import type { Tables } from './tables/tables.js';
import type { WriteAheadLog } from './write-ahead-log.js';
import { forEachYielding } from './yielding.js';

/** The store over tables of this process and a write-ahead log. */
export class LocalStore implements Store {
  readonly #tables: Tables;
  readonly #log: WriteAheadLog;
  readonly #queue: CommitQueue;

  /** @param revision the highest one in use */
  constructor(tables: Tables, log: WriteAheadLog, revision = 0) {
    this.#tables = tables;
    this.#log = log;
    this.#queue = new CommitQueue(new LocalTarget(tables, log, revision));
  }

  async get<N extends CollectionName>(
    collection: N,
    tenantId: string,
    id: string,
  ): Promise<Stored<Records[N]> | undefined> {
    return this.#tables.of(collection, tenantId)?.get(id);
  }

  async find<N extends CollectionName>(collection: N, query: Query<N>): Promise<Found<Records[N]>> {
    if (collection === 'log' || collection === 'activity') await this.#queue.writeEntries();
    return this.#tables.find(collection, query);
  }

  commit(changes: Change[]): Promise<void> {
    return this.#queue.commit(changes);
  }

  record(entries: Entry[]): void {
    this.#queue.record(entries);
  }

  async copy(each: (change: Insert) => void | Promise<void>): Promise<void> {
    await this.#queue.writeEntries();
    await this.#log.whilePaused(() => forEachYielding(insertsOf(this.#tables.capture()), each));
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}

/** Writes batches to the log, then applies them to the tables. */
class LocalTarget implements CommitTarget {
  #start: BatchStart;

  constructor(
    private readonly tables: Tables,
    private readonly log: WriteAheadLog,
    revision: number,
  ) {
    this.#start = { committed: tables, revision };
  }

  get isBatchFull(): boolean {
    return this.log.isBatchFull;
  }

  begin(): BatchStart {
    return this.#start;
  }

  add(commit: readonly Operation[]): void {
    this.log.add(commit);
  }

  async write(operations: readonly Operation[], revision: number): Promise<void> {
    this.#start = { committed: this.tables, revision };
    if (operations.length === 0) return;
    const locations = await this.log.write(operations);
    operations.forEach((operation, i) => {
      this.tables.apply(operation, locations[i]);
    });
    this.log.afterApply(revision);
  }

  reportLost(entries: number, error: unknown): void {
    this.log.reportLost(entries, error);
  }

  close(): Promise<void> {
    return this.log.close();
  }
}

function* insertsOf(captured: ReturnType<Tables['capture']>): Generator<Insert> {
  for (const { collection, records } of captured) {
    for (const { revision: _, ...record } of records) yield { insert: collection, record } as Insert;
  }
}
