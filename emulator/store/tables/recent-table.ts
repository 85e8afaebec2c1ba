import type { Collection } from '../collections.js';
import type { Condition } from '../condition.js';
import { matches } from '../matches.js';
import type { Place } from '../place.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';
import type { Captured, Table } from './table.js';

interface Entry<R> {
  record: Stored<R>;
  created: number;
  place: Place | undefined;
}

/** Told where the lines of records stand: `retire` of those pushed out by newer ones, `bury` of those removed. */
interface Lines {
  retire(place: Place): void;
  bury(place: Place): void;
}

/**
 * The last so many records, in the order they came: a new one costs next to nothing, which is what an audit log needs
 * that grows with every read. Conditions are answered by looking at each, of which there are never many.
 */
export class RecentTable<N extends CollectionName> implements Table<N> {
  readonly #collection: Collection<N>;
  readonly #keep: number;
  readonly #lines: Lines;
  /** Those before `#first` are dropped already; they leave the array together, now and then. */
  #entries: Entry<Records[N]>[] = [];
  #first = 0;
  /** Every insertion asks whether its id is taken. */
  readonly #byId = new Map<string, Entry<Records[N]>>();

  constructor(collection: Collection<N>, keep: number, lines: Lines = { retire: () => {}, bury: () => {} }) {
    this.#collection = collection;
    this.#keep = keep;
    this.#lines = lines;
  }

  get size(): number {
    return this.#entries.length - this.#first;
  }

  get(id: string): Stored<Records[N]> | undefined {
    return this.#byId.get(id)?.record;
  }

  put(record: Stored<Records[N]>, place?: Place): void {
    const created = Date.parse(this.#collection.createdAt?.(record) ?? '') || 0;
    const entry = { record, created, place };
    this.#entries.push(entry);
    this.#byId.set(record.id, entry);
    if (this.size > this.#keep) this.#drop(this.#entries[this.#first++], this.#lines.retire);
    if (this.#first > this.#keep) this.#settle(this.#live());
  }

  remove(id: string): void {
    this.#drop(this.#byId.get(id), this.#lines.bury);
    this.#settle(this.#live().filter(({ record }) => record.id !== id));
  }

  prepare(): undefined {
    return undefined;
  }

  page(where: Condition<N> | undefined, offset: number, limit: number): Found<Records[N]> {
    const found = this.#live().filter(
      ({ record }) => where === undefined || matches(this.#collection, record, where),
    );
    // Newest first is nearly the order already, which makes the sort a single pass.
    found.reverse().sort((a, b) => b.created - a.created || (a.record.id < b.record.id ? -1 : 1));
    return {
      records: found.slice(offset, offset + limit).map(({ record }) => record),
      total: found.length,
    };
  }

  capture(): Captured<Records[N]> {
    const entries = this.#live();
    return { length: entries.length, read: (at) => (entries[at] as Entry<Records[N]>).record };
  }

  clear(): void {
    for (const entry of this.#live()) this.#drop(entry, this.#lines.bury);
    this.#settle([]);
  }

  /** Says that a record was moved; false when it is not here any more. */
  move(revision: number, to: Place): boolean {
    const entry = this.#find(revision);
    if (entry === undefined) return false;
    entry.place = to;
    return true;
  }

  has(revision: number): boolean {
    return this.#find(revision) !== undefined;
  }

  /** Records come in the order of their revisions. */
  #find(revision: number): Entry<Records[N]> | undefined {
    let low = this.#first;
    let high = this.#entries.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.record.revision ?? 0) < revision) low = middle + 1;
      else high = middle;
    }
    const entry = this.#entries[low];
    return entry?.record.revision === revision ? entry : undefined;
  }

  #live(): Entry<Records[N]>[] {
    return this.#entries.slice(this.#first);
  }

  #settle(entries: Entry<Records[N]>[]): void {
    this.#entries = entries;
    this.#first = 0;
  }

  #drop(entry: Entry<Records[N]> | undefined, tell: (place: Place) => void): void {
    if (entry === undefined) return;
    this.#byId.delete(entry.record.id);
    if (entry.place !== undefined) tell(entry.place);
  }
}
