import type { Collection } from '../collections.js';
import type { Condition } from '../condition.js';
import { matches } from '../matches.js';
import type { Place } from '../place.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';
import type { Table } from './table.js';

interface Entry<R> {
  record: Stored<R>;
  created: number;
  place: Place | undefined;
}

/**
 * The last so many records, in the order they came: a new one costs next to nothing, which is what an audit log needs
 * that grows with every read. Conditions are answered by looking at each, of which there are never many.
 */
export class RecentTable<N extends CollectionName> implements Table<N> {
  readonly #collection: Collection<N>;
  readonly #keep: number;
  readonly #onDropped: (place: Place) => void;
  /** Those before `#first` are dropped already; they leave the array together, now and then. */
  #entries: Entry<Records[N]>[] = [];
  #first = 0;

  /** `onDropped` is told where the lines of dropped records stand. */
  constructor(collection: Collection<N>, keep: number, onDropped: (place: Place) => void = () => {}) {
    this.#collection = collection;
    this.#keep = keep;
    this.#onDropped = onDropped;
  }

  get size(): number {
    return this.#entries.length - this.#first;
  }

  get(id: string): Stored<Records[N]> | undefined {
    return this.#live().find(({ record }) => record.id === id)?.record;
  }

  put(record: Stored<Records[N]>, place?: Place): void {
    const created = Date.parse(this.#collection.createdAt?.(record) ?? '') || 0;
    this.#entries.push({ record, created, place });
    if (this.size > this.#keep) this.#drop(this.#entries[this.#first++]);
    if (this.#first > this.#keep) this.#settle(this.#live());
  }

  remove(id: string): void {
    const live = this.#live();
    this.#drop(live.find(({ record }) => record.id === id));
    this.#settle(live.filter(({ record }) => record.id !== id));
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

  clear(): void {
    for (const entry of this.#live()) this.#drop(entry);
    this.#settle([]);
  }

  #live(): Entry<Records[N]>[] {
    return this.#entries.slice(this.#first);
  }

  #settle(entries: Entry<Records[N]>[]): void {
    this.#entries = entries;
    this.#first = 0;
  }

  #drop(entry: Entry<Records[N]> | undefined): void {
    if (entry?.place !== undefined) this.#onDropped(entry.place);
  }
}
