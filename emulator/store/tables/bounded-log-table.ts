import { LRUCache } from 'lru-cache';
import { firstIndexWhere } from '../binary-search.js';
import type { Collection } from '../collections.js';
import type { Condition } from '../condition.js';
import { createdAt, type RecordOf } from '../index/row.js';
import type { LineLocation } from '../line-location.js';
import { matches } from '../matches.js';
import type { CollectionName, Records, Stored } from '../records.js';
import { firstKept, type Retention } from '../retention.js';
import type { Found } from '../store.js';
import { forEachYielding } from '../yielding.js';
import { LogScan } from './log-scan.js';
import type { DeadLines, Table } from './table.js';

interface Entry<N extends CollectionName> {
  record: RecordOf<N>;
  /** Milliseconds since 1970. */
  created: number;
  line: LineLocation | undefined;
}

/** Entries above which a page is prepared by looking at them in slices. */
const FEW = 100;
/** Entries after which the oldest are dropped, all at once. */
const ENTRIES_PER_DROP = 5_000;
/** Conditions whose entries are remembered for the next page. */
const KEPT_SCANS = 4;

/**
 * The last records that were put, in their order. Adding one costs next to nothing, which an audit log needs that grows with
 * every read. Conditions are answered by looking at each record.
 */
export class BoundedLogTable<N extends CollectionName> implements Table<N> {
  readonly #collection: Collection<N>;
  readonly #retention: Retention;
  readonly #dead: DeadLines | undefined;
  /** In the order of revisions. */
  #entries: Entry<N>[] = [];
  #added = 0;
  #all = new LogScan<Entry<N>>(undefined);
  readonly #scans = new LRUCache<string, LogScan<Entry<N>>>({ max: KEPT_SCANS });
  /** The scans of queries that have not ended, however many there are. */
  #current = new WeakMap<Condition<N>, LogScan<Entry<N>>>();

  /** @param dead absent without a journal */
  constructor(collection: Collection<N>, retention: Retention, dead: DeadLines | undefined) {
    this.#collection = collection;
    this.#retention = retention;
    this.#dead = dead;
  }

  get size(): number {
    return this.#entries.length;
  }

  get(id: string): Stored<Records[N]> | undefined {
    return this.#find(id)?.record;
  }

  put(record: Stored<Records[N]>, line: LineLocation | undefined): void {
    const created = createdAt(this.#collection, record);
    this.#entries.push({ record: record as RecordOf<N>, created, line });
    this.#added += 1;
    if (this.#added % ENTRIES_PER_DROP === 0) this.#dropOld();
  }

  /** No operation of the service removes an entry by itself. */
  remove(id: string): void {
    const entry = this.#find(id);
    if (entry === undefined) return;
    this.#entries = this.#entries.filter((one) => one !== entry);
    this.#all = new LogScan(undefined);
    this.#scans.clear();
    this.#current = new WeakMap();
    if (entry.line !== undefined) this.#dead?.scheduleErase(entry.line);
  }

  drop(): void {
    this.#dead?.scheduleEraseAll(this.#entries);
  }

  prepare(where: Condition<N> | undefined): Promise<void> | undefined {
    const scan = this.#scanOf(where);
    const unseen = this.#entriesAfter(scan.revision);
    if (where === undefined || unseen.length <= FEW) return undefined;
    return forEachYielding(unseen, (entry) => this.#look(entry, scan, where));
  }

  page(where: Condition<N> | undefined, offset: number, limit: number): Found<Records[N]> {
    const scan = this.#scanOf(where);
    for (const entry of this.#entriesAfter(scan.revision)) this.#look(entry, scan, where);
    const [oldest] = this.#entries;
    const found = scan.found(oldest?.record.revision ?? 0);
    const end = Math.max(0, found.length - offset);
    const entries = found.slice(Math.max(0, end - limit), end).reverse();
    const mayLack = this.#entries.length >= this.#retention.records;
    return {
      records: entries.map(({ record }) => record),
      total: found.length,
      ...(oldest && mayLack && { completeFrom: oldest.created }),
    };
  }

  records(): Stored<Records[N]>[] {
    return this.#entries.map(({ record }) => record);
  }

  lineOf(_: string, revision: number): LineLocation | undefined {
    const entry = this.#entries[this.#indexAfter(revision - 1)];
    return entry?.record.revision === revision ? entry.line : undefined;
  }

  #dropOld(): void {
    const first = firstKept(this.#entries, this.#retention);
    if (first === 0) return;
    for (const { line } of this.#entries.slice(0, first))
      if (line !== undefined) this.#dead?.scheduleErase(line);
    this.#entries = this.#entries.slice(first);
  }

  #scanOf(where: Condition<N> | undefined): LogScan<Entry<N>> {
    if (where === undefined) return this.#all;
    const text = JSON.stringify(where);
    const scan = this.#current.get(where) ?? this.#scans.get(text) ?? new LogScan(where as Condition);
    this.#scans.set(text, scan);
    this.#current.set(where, scan);
    return scan;
  }

  #look(entry: Entry<N>, scan: LogScan<Entry<N>>, where: Condition<N> | undefined): void {
    scan.look(entry, ({ record }) => where === undefined || matches(this.#collection, record, where));
  }

  #entriesAfter(revision: number): Entry<N>[] {
    return this.#entries.slice(this.#indexAfter(revision));
  }

  #indexAfter(revision: number): number {
    return firstIndexWhere(this.#entries, ({ record }) => record.revision > revision);
  }

  #find(id: string): Entry<N> | undefined {
    return this.#entries.findLast(({ record }) => record.id === id);
  }
}
