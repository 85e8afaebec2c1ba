import { firstIndexWhere } from '../binary-search.js';
import type { Collection } from '../collections.js';
import type { Condition } from '../condition.js';
import { compareRows, createdAt, type RecordOf } from '../index/row.js';
import type { LineLocation } from '../line-location.js';
import { matches } from '../matches.js';
import type { CollectionName, Records, Stored } from '../records.js';
import { firstKept, type Retention } from '../retention.js';
import type { Found } from '../store.js';
import { forEachYielding } from '../yielding.js';
import type { DeadLines, Table } from './table.js';

interface Entry<N extends CollectionName> {
  record: RecordOf<N>;
  /** Milliseconds since 1970. */
  created: number;
  line: LineLocation | undefined;
}

/** Entries above which they are looked at in slices. */
const FEW = 100;
/** Entries after which the oldest are dropped, all at once. */
const ENTRIES_PER_DROP = 5_000;

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
  /** The entries that were found for conditions, until the query reads them. */
  readonly #found = new WeakMap<Condition<N>, Entry<N>[]>();

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
    return this.#entryOf(id)?.record;
  }

  put(record: Stored<Records[N]>, line: LineLocation | undefined): void {
    const created = createdAt(this.#collection, record);
    this.#entries.push({ record: record as RecordOf<N>, created, line });
    this.#added += 1;
    if (this.#added % ENTRIES_PER_DROP === 0) this.#dropOld();
  }

  /** No operation of the service removes an entry by itself. */
  remove(id: string): void {
    const entry = this.#entryOf(id);
    if (entry === undefined) return;
    this.#entries = this.#entries.filter((one) => one !== entry);
    this.#erase([entry]);
  }

  drop(): void {
    this.#dead?.scheduleEraseAll(this.#entries);
  }

  prepare(where: Condition<N> | undefined): Promise<void> | undefined {
    if (where === undefined || this.#entries.length <= FEW || this.#found.has(where)) return undefined;
    const found: Entry<N>[] = [];
    const look = (entry: Entry<N>) => {
      if (this.#isMatch(entry, where)) found.push(entry);
    };
    return forEachYielding(this.#entries, look).then(() => void this.#found.set(where, found));
  }

  page(where: Condition<N> | undefined, offset: number, limit: number): Found<Records[N]> {
    const found =
      (where && this.#found.get(where)) ?? this.#entries.filter((one) => this.#isMatch(one, where));
    if (where) this.#found.delete(where);
    const [oldest] = this.#entries;
    const mayLack = this.#entries.length >= this.#retention.records;
    // They are nearly in this order already, only the other way round.
    const page = found
      .toReversed()
      .sort(compareRows)
      .slice(offset, offset + limit);
    return {
      records: page.map(({ record }) => record),
      total: found.length,
      ...(oldest && mayLack && { completeFrom: oldest.created }),
    };
  }

  records(): Stored<Records[N]>[] {
    return this.#entries.map(({ record }) => record);
  }

  lineOf(_: string, revision: number): LineLocation | undefined {
    const entry = this.#entries[firstIndexWhere(this.#entries, (one) => one.record.revision >= revision)];
    return entry?.record.revision === revision ? entry.line : undefined;
  }

  #dropOld(): void {
    const first = firstKept(this.#entries, this.#retention);
    if (first === 0) return;
    this.#erase(this.#entries.slice(0, first));
    this.#entries = this.#entries.slice(first);
  }

  #erase(entries: readonly Entry<N>[]): void {
    for (const { line } of entries) if (line !== undefined) this.#dead?.scheduleErase(line);
  }

  #isMatch({ record }: Entry<N>, where: Condition<N> | undefined): boolean {
    return where === undefined || matches(this.#collection, record, where);
  }

  #entryOf(id: string): Entry<N> | undefined {
    return this.#entries.findLast(({ record }) => record.id === id);
  }
}
