import { COLLECTION_NAMES, COLLECTIONS } from '../collections.js';
import type { CommittedRecords } from '../commit-validator.js';
import type { Condition } from '../condition.js';
import type { LineLocation } from '../line-location.js';
import type { RecordChange } from '../record-change.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found, Query } from '../store.js';
import { type DeadLines, Table } from './table.js';

type AllTables = { [N in CollectionName]: Map<string, Table<N>> };

/** All that is visible: the tables by collection and tenant. */
export class Tables implements CommittedRecords {
  readonly #tables: AllTables;

  /** @param dead absent without a journal */
  constructor(private readonly dead?: DeadLines) {
    this.#tables = Object.fromEntries(COLLECTION_NAMES.map((name) => [name, new Map()])) as AllTables;
  }

  of<N extends CollectionName>(collection: N, tenantId: string): Table<N> | undefined {
    return this.#tables[collection].get(tenantId);
  }

  revisionOf(collection: CollectionName, tenantId: string, id: string): number | undefined {
    return this.of(collection, tenantId)?.get(id)?.revision;
  }

  firstMatch<N extends CollectionName>(collection: N, tenantId: string, where: Condition<N>, except: string) {
    const records = this.of(collection, tenantId)?.page(where, 0, 2).records;
    return records?.find((record) => record.id !== except)?.id;
  }

  /** Every record there is at the time of the call, collection by collection. */
  capture(): { collection: CollectionName; records: Stored<Records[CollectionName]>[] }[] {
    return COLLECTION_NAMES.flatMap((collection) =>
      this.#searched(collection, undefined).map((table) => ({ collection, records: table.records() })),
    );
  }

  /** Makes a change visible. `line` is that of the journal, if there is one. */
  apply(change: RecordChange, line?: LineLocation): void {
    const { op, tenantId } = change;
    if (op === 'clear') for (const name of COLLECTION_NAMES) this.#clear(name, tenantId);
    else if (op === 'put') this.#put(change.collection, tenantId, change.record as never, line);
    else {
      const { collection, id } = change;
      const table = this.of(collection, tenantId);
      table?.remove(id);
      if (table?.size === 0) this.#tables[collection].delete(tenantId);
    }
  }

  #put<N extends CollectionName>(
    collection: N,
    tenantId: string,
    record: Stored<Records[N]>,
    line: LineLocation | undefined,
  ): void {
    const tables: Map<string, Table<N>> = this.#tables[collection];
    let table = tables.get(tenantId);
    if (table === undefined) {
      table = new Table(COLLECTIONS[collection], this.dead);
      tables.set(tenantId, table);
    }
    table.put(record, line);
  }

  /** Removes a collection's records of a tenant, or (undefined) of all tenants. */
  #clear(collection: CollectionName, tenantId: string | undefined): void {
    for (const table of this.#searched(collection, tenantId)) table.drop();
    if (tenantId === undefined) this.#tables[collection].clear();
    else this.#tables[collection].delete(tenantId);
  }

  async find<N extends CollectionName>(collection: N, query: Query<N>): Promise<Found<Records[N]>> {
    for (;;) {
      const tables = this.#searched(collection, query.tenantId);
      const pending = tables.flatMap((table) => table.prepare(query.where) ?? []);
      // Not after another await: tables may be replaced, and what one was prepared with may be dropped for another query.
      if (pending.length === 0) return page(collection, tables, query);
      await Promise.all(pending);
    }
  }

  #searched<N extends CollectionName>(collection: N, tenantId: string | undefined): Table<N>[] {
    if (tenantId === undefined) return [...this.#tables[collection].values()];
    const table = this.of(collection, tenantId);
    return table === undefined ? [] : [table];
  }
}

function page<N extends CollectionName>(
  collection: N,
  tables: Table<N>[],
  { where, offset = 0, limit = Number.POSITIVE_INFINITY }: Query<N>,
): Found<Records[N]> {
  const [only] = tables;
  if (tables.length === 1 && only !== undefined) return only.page(where, offset, limit);
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
