import { LRUCache } from 'lru-cache';
import { firstIndexWhere } from '../binary-search.js';
import type { Collection } from '../collections.js';
import type { Condition } from '../condition.js';
import { createdAt, type IndexKeys } from '../index/index-keys.js';
import { matches } from '../matches.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName, Records, Stored } from '../records.js';
import { firstKept, type Retention } from '../retention.js';
import type { Found } from '../store.js';
import { forEachYielding } from '../yielding.js';
import { LogScan } from './log-scan.js';
import { captureRecords, type RecordLines, type Table } from './table.js';

/** An entry whose record may be unread: most entries are dropped before anyone looks at them. */
interface Entry<R> extends RecordLocation {
  id: string;
  rev: number;
  /** Milliseconds since 1970; 0 until it is read from the record, in a line that an earlier version wrote. */
  created: number;
  /** Present without a journal. */
  record?: Stored<R>;
}

/** Entries above which a page is prepared by looking at them in slices. */
const FEW = 100;
/** Entries after which the oldest are dropped, all at once. */
const ENTRIES_PER_DROP = 5_000;
/** Conditions whose entries are remembered for the next page. */
const KEPT_SCANS = 4;

/**
 * The last records that were put, in their order. Adding one costs next to nothing, which an audit log needs that grows with
 * every read. Records stay in their lines. Conditions are answered by looking at each record.
 */
export class BoundedLogTable<N extends CollectionName> implements Table<N> {
  readonly #collection: Collection<N>;
  readonly #retention: Retention;
  readonly #lines: RecordLines<Records[N]> | undefined;
  /** In the order of revisions. */
  #entries: Entry<Records[N]>[] = [];
  #added = 0;
  #undated: Entry<Records[N]>[] = [];
  #all = new LogScan<Entry<Records[N]>>(undefined);
  readonly #scans = new LRUCache<string, LogScan<Entry<Records[N]>>>({ max: KEPT_SCANS });
  /** The scans of queries that have not ended, however many there are. */
  #current = new WeakMap<Condition<N>, LogScan<Entry<Records[N]>>>();

  /** Without `lines`, records are kept in memory. */
  constructor(collection: Collection<N>, retention: Retention, lines?: RecordLines<Records[N]>) {
    this.#collection = collection;
    this.#retention = retention;
    this.#lines = lines;
  }

  get size(): number {
    return this.#entries.length;
  }

  get(id: string): Stored<Records[N]> | undefined {
    const entry = this.#find(id);
    return entry && this.#read(entry);
  }

  revisionOf(id: string): number | undefined {
    return this.#find(id)?.rev;
  }

  put(record: Stored<Records[N]>, { created }: IndexKeys, location: RecordLocation): void {
    const { id, revision: rev } = record;
    const { segment, offset, length } = location;
    this.add({ id, rev, created, segment, offset, length, ...(this.#lines === undefined && { record }) });
  }

  /** Adds an entry. A start takes the object over that it read from the line, so that there is one for each. */
  add(entry: Entry<Records[N]>): void {
    this.#entries.push(entry);
    if (entry.created === 0) this.#undated.push(entry);
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
    this.#lines?.scheduleErase(entry);
  }

  drop(): void {
    this.#lines?.scheduleEraseAll(this.#entries);
  }

  prepare(where: Condition<N> | undefined): Promise<void> | undefined {
    if (this.#undated.length > 0) return this.#date();
    const scan = this.#scanOf(where);
    const unseen = this.#entriesAfter(scan.revision);
    if (where === undefined || unseen.length <= FEW) return undefined;
    return forEachYielding(unseen, (entry) => this.#look(entry, scan, where));
  }

  page(where: Condition<N> | undefined, offset: number, limit: number): Found<Records[N]> {
    const scan = this.#scanOf(where);
    for (const entry of this.#entriesAfter(scan.revision)) this.#look(entry, scan, where);
    const [oldest] = this.#entries;
    const found = scan.found(oldest?.rev ?? 0);
    const end = Math.max(0, found.length - offset);
    const entries = found.slice(Math.max(0, end - limit), end).reverse();
    const mayLack = this.#entries.length >= this.#retention.records;
    return {
      records: entries.map((entry) => this.#read(entry)),
      total: found.length,
      ...(oldest && mayLack && { completeFrom: oldest.created }),
    };
  }

  capture(): Iterable<Stored<Records[N]>> {
    return captureRecords(this.#entries, this.#lines);
  }

  locationOf(_: string, revision: number): RecordLocation | undefined {
    const entry = this.#entries[this.#indexAfter(revision - 1)];
    return entry?.rev === revision ? entry : undefined;
  }

  #dropOld(): void {
    const first = firstKept(this.#entries, this.#retention);
    if (first === 0) return;
    for (const entry of this.#entries.slice(0, first)) this.#lines?.markDead(entry);
    this.#entries = this.#entries.slice(first);
  }

  /** Reads when entries were created whose lines do not say it. */
  async #date(): Promise<void> {
    await forEachYielding(this.#undated, (entry) => {
      // Its line may have been erased in between.
      if (this.locationOf(entry.id, entry.rev) === undefined) return;
      entry.created = createdAt(this.#collection, this.#read(entry));
    });
    this.#undated = [];
  }

  #scanOf(where: Condition<N> | undefined): LogScan<Entry<Records[N]>> {
    if (where === undefined) return this.#all;
    const text = JSON.stringify(where);
    const scan = this.#current.get(where) ?? this.#scans.get(text) ?? new LogScan(where as Condition);
    this.#scans.set(text, scan);
    this.#current.set(where, scan);
    return scan;
  }

  #look(entry: Entry<Records[N]>, scan: LogScan<Entry<Records[N]>>, where: Condition<N> | undefined): void {
    scan.look(
      entry,
      (unread) =>
        where === undefined ||
        // Its line may have been erased since the scan began.
        (this.locationOf(unread.id, unread.rev) !== undefined &&
          matches(this.#collection, this.#read(unread), where)),
    );
  }

  #entriesAfter(revision: number): Entry<Records[N]>[] {
    return this.#entries.slice(this.#indexAfter(revision));
  }

  #indexAfter(revision: number): number {
    return firstIndexWhere(this.#entries, ({ rev }) => rev > revision);
  }

  #find(id: string): Entry<Records[N]> | undefined {
    return this.#entries.findLast((entry) => entry.id === id);
  }

  #read(entry: Entry<Records[N]>): Stored<Records[N]> {
    return entry.record ?? (this.#lines?.read(entry) as Stored<Records[N]>);
  }
}
