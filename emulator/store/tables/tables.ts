import { COLLECTION_NAMES, COLLECTIONS } from '../collections.js';
import type { Condition } from '../condition.js';
import type { Operation } from '../operation.js';
import type { IndexedLocation } from '../record-location.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found, Query } from '../store.js';
import type { Captured, Table } from './table.js';

type TablesOf<N extends CollectionName> = Map<string, Table<N>>;

/** Makes the tables of a store: with their records in memory, or on disk. */
export type TableFactory = <N extends CollectionName>(collection: N) => Table<N>;

/** All that is visible: the tables by collection and tenant. */
export class Tables {
  readonly #create: TableFactory;
  readonly #tables: { [N in CollectionName]: TablesOf<N> };

  constructor(create: TableFactory) {
    this.#create = create;
    this.#tables = Object.fromEntries(COLLECTION_NAMES.map((name) => [name, new Map()])) as {
      [N in CollectionName]: TablesOf<N>;
    };
  }

  of<N extends CollectionName>(collection: N, tenantId: string): Table<N> | undefined {
    return this.#tables[collection].get(tenantId);
  }

  all<N extends CollectionName>(collection: N): Iterable<Table<N>> {
    return this.#tables[collection].values();
  }

  tenants<N extends CollectionName>(collection: N): Iterable<string> {
    return this.#tables[collection].keys();
  }

  ensure<N extends CollectionName>(collection: N, tenantId: string): Table<N> {
    const tables: TablesOf<N> = this.#tables[collection];
    let table = tables.get(tenantId);
    if (table === undefined) {
      table = this.#create(collection);
      tables.set(tenantId, table);
    }
    return table;
  }

  /** Every record there is now, collection by collection. */
  capture(): { collection: CollectionName; records: Captured<Records[CollectionName]> }[] {
    return COLLECTION_NAMES.flatMap((collection) =>
      [...this.all(collection)].map((table) => ({ collection, records: table.capture() })),
    );
  }

  apply(operation: Operation, written?: IndexedLocation): void {
    if (operation.op === 'clear') {
      for (const name of COLLECTION_NAMES) this.clear(name, operation.tenantId);
    } else if (operation.op === 'remove') {
      const { collection, tenantId, id, was } = operation;
      this.#remove(collection, tenantId, id, was);
    } else {
      const { collection, tenantId, record, was } = operation;
      this.ensure(collection, tenantId).put(record as never, written, was as never);
    }
  }

  async find<N extends CollectionName>(collection: N, query: Query<N>): Promise<Found<Records[N]>> {
    const { where, offset = 0, limit = Number.POSITIVE_INFINITY } = query;
    const tables = await this.#prepared(collection, query);
    const [only] = tables;
    if (tables.length === 1 && only !== undefined) return only.page(where, offset, limit);
    return merge(
      collection,
      tables.map((table) => table.page(where, 0, offset + limit)),
      offset,
      limit,
    );
  }

  /** The tables that a query is about, ready for it, as they are now: others may take their place while this waits. */
  async #prepared<N extends CollectionName>(collection: N, query: Query<N>): Promise<Table<N>[]> {
    for (;;) {
      const tables = this.#searched(collection, query.tenantId);
      const waiting = tables
        .map((table) => table.prepare(query.where))
        .filter((ready) => ready !== undefined);
      if (waiting.length === 0) return tables;
      const results = await Promise.allSettled(waiting);
      const now = this.#searched(collection, query.tenantId);
      if (now.length !== tables.length || now.some((table, i) => table !== tables[i])) continue;
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      return tables;
    }
  }

  #searched<N extends CollectionName>(collection: N, tenantId: string | undefined): Table<N>[] {
    if (tenantId === undefined) return [...this.all(collection)];
    const table = this.of(collection, tenantId);
    return table === undefined ? [] : [table];
  }

  #remove<N extends CollectionName>(
    collection: N,
    tenantId: string,
    id: string,
    was: Stored<Records[CollectionName]> | undefined,
  ): void {
    const table = this.of(collection, tenantId);
    table?.remove(id, was as Stored<Records[N]> | undefined);
    if (table?.size === 0) this.#tables[collection].delete(tenantId);
  }

  /** Forgets a collection's records of a tenant, or of all. */
  clear(collection: CollectionName, tenantId: string | undefined): void {
    const tables = this.#tables[collection];
    // Of everything no record need be told: its lines go with their files.
    if (tenantId === undefined) tables.clear();
    else {
      tables.get(tenantId)?.clear();
      tables.delete(tenantId);
    }
  }
}

/** The id of a record, other than the excepted one, that a condition finds. */
export function firstMatch<N extends CollectionName>(
  table: Table<N> | undefined,
  where: Condition<N>,
  except: string,
): string | undefined {
  return table?.page(where, 0, 2).records.find((record) => record.id !== except)?.id;
}

function merge<N extends CollectionName>(
  collection: N,
  pages: Found<Records[N]>[],
  offset: number,
  limit: number,
): Found<Records[N]> {
  const { createdAt } = COLLECTIONS[collection];
  const time = (record: Stored<Records[N]>) => (createdAt === undefined ? 0 : Date.parse(createdAt(record)));
  const records = pages.flatMap((page) => page.records);
  records.sort((a, b) => time(b) - time(a) || (a.id < b.id ? -1 : 1));
  return {
    records: records.slice(offset, offset + limit),
    total: pages.reduce((sum, page) => sum + page.total, 0),
  };
}
