import { COLLECTION_NAMES, COLLECTIONS, type Collection } from '../collections.js';
import type { CommittedRecords } from '../commit-validator.js';
import type { Condition } from '../condition.js';
import { type IndexKeys, indexKeys } from '../index/index-keys.js';
import type { TermHasher } from '../index/term-hash.js';
import type { Operation } from '../operation.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found, Query } from '../store.js';
import { BoundedLogTable } from './bounded-log-table.js';
import { IndexedTable } from './indexed-table.js';
import type { RecordLines, Table } from './table.js';

/** The location of a record without a journal. */
const NOWHERE: RecordLocation = { segment: 0, offset: 0, length: 0 };

type TablesOf<N extends CollectionName> = Map<string, Table<N>>;

/** Finds the lines of the journal that hold a collection's records of one tenant. */
type LinesOf = <N extends CollectionName>(collection: N, tenantId: string) => RecordLines<Records[N]>;

/** All that is visible: the tables by collection and tenant. */
export class Tables implements CommittedRecords {
  readonly #hasher: TermHasher;
  readonly #linesOf: LinesOf | undefined;
  readonly #tables: { [N in CollectionName]: TablesOf<N> };

  /** @param linesOf absent when all records are kept in memory */
  constructor(hasher: TermHasher, linesOf?: LinesOf) {
    this.#hasher = hasher;
    this.#linesOf = linesOf;
    this.#tables = Object.fromEntries(COLLECTION_NAMES.map((name) => [name, new Map()])) as {
      [N in CollectionName]: TablesOf<N>;
    };
  }

  /** Reads the keys under which a record is indexed. */
  keysOf<N extends CollectionName>(name: N, record: Records[N]): IndexKeys {
    const collection: Collection<N> = COLLECTIONS[name];
    return indexKeys(collection, this.#hasher, record);
  }

  of<N extends CollectionName>(collection: N, tenantId: string): Table<N> | undefined {
    return this.#tables[collection].get(tenantId);
  }

  revisionOf(collection: CollectionName, tenantId: string, id: string): number | undefined {
    return this.of(collection, tenantId)?.revisionOf(id);
  }

  firstMatch<N extends CollectionName>(
    collection: N,
    tenantId: string,
    where: Condition<N>,
    except: string,
  ): string | undefined {
    const records = this.of(collection, tenantId)?.page(where, 0, 2).records;
    return records?.find((record) => record.id !== except)?.id;
  }

  /** The tables of all tenants. */
  all<N extends CollectionName>(collection: N): Iterable<Table<N>> {
    return this.#tables[collection].values();
  }

  ensure<N extends CollectionName>(collection: N, tenantId: string): Table<N> {
    const tables: TablesOf<N> = this.#tables[collection];
    let table = tables.get(tenantId);
    if (table === undefined) {
      table = this.#create(collection, tenantId);
      tables.set(tenantId, table);
    }
    return table;
  }

  /** Every record there is at the time of the call, collection by collection. */
  capture(): { collection: CollectionName; records: Iterable<Stored<Records[CollectionName]>> }[] {
    return COLLECTION_NAMES.flatMap((collection) =>
      [...this.all(collection)].map((table) => ({ collection, records: table.capture() })),
    );
  }

  /** Makes an operation visible. `location` is that of its line, if there is a journal. */
  apply(operation: Operation, location = NOWHERE): void {
    const { op, tenantId } = operation;
    if (op === 'put') {
      const { collection, record, keys } = operation;
      this.ensure(collection, tenantId as string).put(record as never, keys, location);
    } else if (op === 'remove') {
      const { collection, id } = operation;
      const table = this.of(collection, operation.tenantId);
      table?.remove(id);
      if (table?.size === 0) this.#tables[collection].delete(operation.tenantId);
    } else if (tenantId === undefined) {
      // Records need not be removed one by one: their lines are deleted with their files.
      for (const name of COLLECTION_NAMES) this.#tables[name].clear();
    } else {
      for (const name of COLLECTION_NAMES) this.clear(name, tenantId);
    }
  }

  /** Removes a collection's records of a tenant, or (undefined) of all tenants. */
  clear(collection: CollectionName, tenantId: string | undefined): void {
    const tables = this.#tables[collection];
    for (const tenant of tenantId === undefined ? [...tables.keys()] : [tenantId]) {
      tables.get(tenant)?.drop();
      tables.delete(tenant);
    }
  }

  async find<N extends CollectionName>(collection: N, query: Query<N>): Promise<Found<Records[N]>> {
    for (;;) {
      const tables = this.#searched(collection, query.tenantId);
      const pending = tables.flatMap((table) => table.prepare(query.where) ?? []);
      // Not after another await: tables may be replaced, and what one was prepared with may be dropped for another query.
      if (pending.length === 0) return page(collection, tables, query);
      const results = await Promise.allSettled(pending);
      const now = this.#searched(collection, query.tenantId);
      if (now.length !== tables.length || now.some((table, i) => table !== tables[i])) continue;
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    }
  }

  #create<N extends CollectionName>(name: N, tenantId: string): Table<N> {
    const collection: Collection<N> = COLLECTIONS[name];
    const lines = collection.kind === 'document' ? undefined : this.#linesOf?.(name, tenantId);
    return collection.retention === undefined
      ? new IndexedTable(collection, this.#hasher, lines)
      : new BoundedLogTable(collection, collection.retention, lines);
  }

  #searched<N extends CollectionName>(collection: N, tenantId: string | undefined): Table<N>[] {
    if (tenantId === undefined) return [...this.all(collection)];
    const table = this.of(collection, tenantId);
    return table === undefined ? [] : [table];
  }
}

function page<N extends CollectionName>(
  collection: N,
  tables: Table<N>[],
  { where, offset = 0, limit = Number.POSITIVE_INFINITY, maxBytes }: Query<N>,
): Found<Records[N]> {
  const [only] = tables;
  if (tables.length === 1 && only !== undefined) return only.page(where, offset, limit, maxBytes);
  const pages = tables.map((table) => table.page(where, 0, offset + limit));
  const { createdAt } = COLLECTIONS[collection];
  const time = (record: Stored<Records[N]>) => (createdAt === undefined ? 0 : Date.parse(createdAt(record)));
  const records = pages.flatMap((page) => page.records);
  records.sort((a, b) => time(b) - time(a) || (a.id < b.id ? -1 : 1));
  return {
    records: records.slice(offset, offset + limit),
    total: pages.reduce((sum, page) => sum + page.total, 0),
  };
}
