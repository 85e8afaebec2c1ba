import type { Logger } from '../lib/logger.js';
import { forEachYielding } from '../lib/turns.js';
import { CommitQueue } from './commit-queue.js';
import type { CommitTarget } from './commit-target.js';
import type { CollectionName, Records, Stored } from './records.js';
import type { Change, Entry, Found, Insert, Query, Store } from './store.js';
import type { Tables } from './tables/tables.js';

/** The store over tables of this process. */
export class LocalStore implements Store {
  readonly #tables: Tables;
  readonly #queue: CommitQueue;

  constructor(tables: Tables, target: CommitTarget, logger: Pick<Logger, 'warn'>) {
    this.#tables = tables;
    this.#queue = new CommitQueue(target, logger);
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
    await forEachYielding(insertsOf(this.#tables.capture()), each);
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}

function* insertsOf(captured: ReturnType<Tables['capture']>): Generator<Insert> {
  for (const { collection, records } of captured) {
    for (const { revision: _, ...record } of records) yield { insert: collection, record } as Insert;
  }
}
