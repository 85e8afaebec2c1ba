import { type BatchStart, CommitQueue, type CommitTarget } from './commit-queue.js';
import type { Operation } from './operation.js';
import type { CollectionName, Records, Stored } from './records.js';
import type { Change, Entry, Found, Insert, Query, Store } from './store.js';
import type { Tables } from './tables/tables.js';
import type { WriteAheadLog } from './write-ahead-log.js';
import { forEachYielding } from './yielding.js';

/** The log of a store on disk, and the highest revision in use. */
interface Durable {
  log: WriteAheadLog;
  revision: number;
}

/** The store over tables of this process and, on disk, a write-ahead log. */
export class LocalStore implements Store {
  readonly #tables: Tables;
  readonly #log: WriteAheadLog | undefined;
  readonly #queue: CommitQueue;

  constructor(tables: Tables, durable?: Durable) {
    this.#tables = tables;
    this.#log = durable?.log;
    this.#queue = new CommitQueue(new LocalTarget(tables, durable?.log, durable?.revision ?? 0));
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
    const copy = () => forEachYielding(insertsOf(this.#tables.capture()), each);
    await (this.#log === undefined ? copy() : this.#log.whilePaused(copy));
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
    private readonly log: WriteAheadLog | undefined,
    revision: number,
  ) {
    this.#start = { committed: tables, revision };
  }

  get isBatchFull(): boolean {
    return this.log?.isBatchFull ?? false;
  }

  begin(): BatchStart {
    return this.#start;
  }

  add(commit: readonly Operation[]): void {
    this.log?.add(commit);
  }

  async write(operations: readonly Operation[], revision: number): Promise<void> {
    this.#start = { committed: this.tables, revision };
    if (operations.length === 0) return;
    const locations = await this.log?.write(operations);
    operations.forEach((operation, i) => {
      this.tables.apply(operation, locations?.[i]);
    });
    this.log?.afterApply(revision);
  }

  reportLost(entries: number, error: unknown): void {
    this.log?.reportLost(entries, error);
  }

  async close(): Promise<void> {
    await this.log?.close();
  }
}

function* insertsOf(captured: ReturnType<Tables['capture']>): Generator<Insert> {
  for (const { collection, records } of captured) {
    for (const { revision: _, ...record } of records) yield { insert: collection, record } as Insert;
  }
}
