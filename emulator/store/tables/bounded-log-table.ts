import { firstIndexWhere } from '../binary-search.js';
import type { Collection } from '../collections.js';
import type { Condition } from '../condition.js';
import type { IndexKeys } from '../index/index-keys.js';
import { matches } from '../matches.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';
import { forEachYielding } from '../yielding.js';
import { captureRecords, type RecordLines, type Table } from './table.js';

interface Entry<R> extends RecordLocation {
  id: string;
  rev: number;
  /** Undefined until it is read. */
  record?: Stored<R> | undefined;
}

/** Unread entries above which a page is prepared by reading them in slices. */
const FEW = 100;

/**
 * The last records that were put, in their order. Adding one costs next to nothing, which an audit log needs that grows with
 * every read. Conditions are answered by looking at each record; the limit keeps their number small.
 */
export class BoundedLogTable<N extends CollectionName> implements Table<N> {
  readonly #collection: Collection<N>;
  readonly #limit: number;
  readonly #lines: RecordLines<Records[N]> | undefined;
  /** In the order of revisions. Only the last `#limit` entries count; the others are dropped many at a time. */
  #entries: Entry<Records[N]>[] = [];

  /** Without `lines`, records are kept in memory. */
  constructor(collection: Collection<N>, limit: number, lines?: RecordLines<Records[N]>) {
    this.#collection = collection;
    this.#limit = limit;
    this.#lines = lines;
  }

  get size(): number {
    return Math.min(this.#entries.length, this.#limit);
  }

  get(id: string): Stored<Records[N]> | undefined {
    const entry = this.#find(id);
    return entry && this.#read(entry);
  }

  revisionOf(id: string): number | undefined {
    return this.#find(id)?.rev;
  }

  put(record: Stored<Records[N]>, _: IndexKeys, { segment, offset, length }: RecordLocation): void {
    const { id, revision: rev } = record;
    this.add({ id, rev, segment, offset, length, record: this.#lines === undefined ? record : undefined });
  }

  /** Adds an entry, whose record may be unread: most entries are dropped before anyone looks at them. */
  add(entry: Entry<Records[N]>): void {
    this.#entries.push(entry);
    const dropped = this.#entries[this.#entries.length - 1 - this.#limit];
    if (dropped !== undefined) this.#lines?.markDead(dropped);
    if (this.#entries.length >= 2 * this.#limit) this.#entries = this.#live();
  }

  remove(id: string): void {
    const entry = this.#find(id);
    this.#entries = this.#live().filter((one) => one !== entry);
    if (entry !== undefined) this.#lines?.scheduleErase(entry);
  }

  drop(): void {
    this.#lines?.scheduleEraseAll(this.#live());
  }

  prepare(): Promise<void> | undefined {
    const unread = this.#live().filter(({ record }) => record === undefined);
    if (unread.length <= FEW) return undefined;
    return forEachYielding(unread, (entry) => {
      // Its line may have been erased in between.
      if (this.locationOf(entry.id, entry.rev) !== undefined) this.#read(entry);
    });
  }

  page(where: Condition<N> | undefined, offset: number, limit: number): Found<Records[N]> {
    const records = this.#live()
      .map((entry) => this.#read(entry))
      .filter((record) => where === undefined || matches(this.#collection, record, where));
    const { createdAt = () => '' } = this.#collection;
    // Reversed, the records are nearly in order, so that sorting takes a single pass. Times as the API formats them sort as
    // texts.
    records.reverse().sort((a, b) => compare(createdAt(b), createdAt(a)) || compare(a.id, b.id));
    return { records: records.slice(offset, offset + limit), total: records.length };
  }

  capture(): Iterable<Stored<Records[N]>> {
    return captureRecords(this.#live(), this.#lines);
  }

  locationOf(_: string, revision: number): RecordLocation | undefined {
    const at = firstIndexWhere(this.#entries, (entry) => entry.rev >= revision);
    const entry = this.#entries[at];
    const isLive = entry?.rev === revision && at >= this.#entries.length - this.#limit;
    return isLive ? entry : undefined;
  }

  #live(): Entry<Records[N]>[] {
    return this.#entries.slice(-this.#limit);
  }

  #find(id: string): Entry<Records[N]> | undefined {
    return this.#live().find((entry) => entry.id === id);
  }

  #read(entry: Entry<Records[N]>): Stored<Records[N]> {
    entry.record ??= this.#lines?.read(entry) as Stored<Records[N]>;
    return entry.record;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
