import type { Collection } from '../collections.js';
import type { Condition } from '../condition.js';
import { matches } from '../matches.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';
import { inSlices } from '../yielding.js';
import type { Captured, Table } from './table.js';

interface Entry<R> {
  id: string;
  revision: number;
  place: RecordLocation | undefined;
  /** Undefined until it is asked for. */
  record: Stored<R> | undefined;
}

/** So many entries are read without a pause. */
const FEW = 100;

/** Where the lines of records stand; told of those pushed out by newer ones (`retire`) and of those removed (`bury`). */
interface Lines<R> {
  read(place: RecordLocation): Stored<R>;
  retire(place: RecordLocation): void;
  bury(place: RecordLocation): void;
}

/**
 * The last so many records, in the order they came: a new one costs next to nothing, which is what an audit log needs
 * that grows with every read. Conditions are answered by looking at each, of which there are never many.
 */
export class BoundedLogTable<N extends CollectionName> implements Table<N> {
  readonly #collection: Collection<N>;
  readonly #keep: number;
  readonly #lines: Lines<Records[N]> | undefined;
  /** Those before `#first` are dropped already; they leave the array together, now and then. */
  #entries: Entry<Records[N]>[] = [];
  #first = 0;

  /** Without lines, records are in memory alone. */
  constructor(collection: Collection<N>, keep: number, lines?: Lines<Records[N]>) {
    this.#collection = collection;
    this.#keep = keep;
    this.#lines = lines;
  }

  get size(): number {
    return this.#entries.length - this.#first;
  }

  get(id: string): Stored<Records[N]> | undefined {
    const entry = this.#live().find((one) => one.id === id);
    return entry && this.#read(entry);
  }

  has(id: string): boolean {
    return this.#live().some((one) => one.id === id);
  }

  put(record: Stored<Records[N]>, place?: RecordLocation): void {
    if (place === undefined) this.#add({ id: record.id, revision: record.revision, place, record });
    else this.restore(record.id, place, record.revision);
  }

  /** Takes up a record that the journal has, unread: most entries are dropped before anybody looks at them. */
  restore(id: string, place: RecordLocation, revision: number): void {
    this.#add({ id, revision, place, record: undefined });
  }

  #add(entry: Entry<Records[N]>): void {
    this.#entries.push(entry);
    if (this.size > this.#keep) this.#drop(this.#entries[this.#first++], this.#lines?.retire);
    if (this.#first > this.#keep) this.#settle(this.#live());
  }

  remove(id: string): void {
    const entries = this.#live();
    this.#drop(
      entries.find((entry) => entry.id === id),
      this.#lines?.bury,
    );
    this.#settle(entries.filter((entry) => entry.id !== id));
  }

  prepare(): Promise<void> | undefined {
    return this.#unread().length > FEW ? this.#readAll() : undefined;
  }

  page(where: Condition<N> | undefined, offset: number, limit: number): Found<Records[N]> {
    const records = this.#live()
      .map((entry) => this.#read(entry))
      .filter((record) => where === undefined || matches(this.#collection, record, where));
    const { createdAt = () => '' } = this.#collection;
    // Newest first is nearly the order already, which makes the sort a single pass. Times as the API writes them are in
    // the order of their texts.
    records.reverse().sort((a, b) => inOrder(createdAt(b), createdAt(a)) || inOrder(a.id, b.id));
    return { records: records.slice(offset, offset + limit), total: records.length };
  }

  capture(): Captured<Records[N]> {
    const entries = this.#live();
    // Not kept: all of them are read at once, and few again.
    const read = ({ record, place }: Entry<Records[N]>) =>
      record ?? this.#lines?.read(place as RecordLocation);
    return {
      length: entries.length,
      read: (at) => read(entries[at] as Entry<Records[N]>) as Stored<Records[N]>,
    };
  }

  clear(): void {
    for (const entry of this.#live()) this.#drop(entry, this.#lines?.bury);
    this.#settle([]);
  }

  /** Says that a record was moved; false when it is not here any more. */
  move(revision: number, to: RecordLocation): boolean {
    const entry = this.#find(revision);
    if (entry === undefined) return false;
    entry.place = to;
    return true;
  }

  placeOf(revision: number): RecordLocation | undefined {
    return this.#find(revision)?.place;
  }

  /** Records come in the order of their revisions. */
  #find(revision: number): Entry<Records[N]> | undefined {
    let low = this.#first;
    let high = this.#entries.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.revision ?? 0) < revision) low = middle + 1;
      else high = middle;
    }
    const entry = this.#entries[low];
    return entry?.revision === revision ? entry : undefined;
  }

  /** In slices, until those that came meanwhile are few. */
  async #readAll(): Promise<void> {
    let before = Number.POSITIVE_INFINITY;
    for (
      let unread = this.#unread();
      unread.length > FEW && unread.length < before;
      unread = this.#unread()
    ) {
      before = unread.length;
      await inSlices(unread, (entry) => {
        if (this.#find(entry.revision) !== undefined) this.#read(entry);
      });
    }
  }

  #unread(): Entry<Records[N]>[] {
    return this.#live().filter(({ record }) => record === undefined);
  }

  #live(): Entry<Records[N]>[] {
    return this.#entries.slice(this.#first);
  }

  #settle(entries: Entry<Records[N]>[]): void {
    this.#entries = entries;
    this.#first = 0;
  }

  #read(entry: Entry<Records[N]>): Stored<Records[N]> {
    entry.record ??= this.#lines?.read(entry.place as RecordLocation) as Stored<Records[N]>;
    return entry.record;
  }

  #drop(entry: Entry<Records[N]> | undefined, tell: ((place: RecordLocation) => void) | undefined): void {
    if (entry?.place !== undefined) tell?.(entry.place);
  }
}

function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
