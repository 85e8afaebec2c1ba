import { forEachYielding, nextTurn } from '../../lib/turns.js';
import type { Collection } from '../collections.js';
import type { Condition, OrderedTerms } from '../condition.js';
import { compareRows, createRow, type RecordOf, type Row } from '../index/row.js';
import { intersect, RowRange, type RowSet, subtract, unite } from '../index/row-set.js';
import { SortedRows } from '../index/sorted-rows.js';
import { TermIndex } from '../index/term-index.js';
import type { Lined, LineLocation } from '../line-location.js';
import { indexedValue, matches } from '../matches.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';

/** Takes the lines of a journal that no longer count: they must leave the disk. */
export interface DeadLines {
  /** Schedules the lines of some rows. They are not looked at before the change that made them obsolete is answered. */
  scheduleErase(rows: Iterable<Lined>): void;
}

/** Up to this many rows are sorted; of more, all rows of the table are walked in order until the page is full. */
const FEW = 2000;
/** Records after which those are dropped, all at once, that newer ones push out. */
const PUTS_PER_DROP = 5_000;

/** The records of one collection and tenant. Conditions are answered from indexes. */
export class Table<N extends CollectionName> {
  readonly #rows = new Map<string, Row<RecordOf<N>>>();
  readonly #byCreation = new SortedRows<Row<RecordOf<N>>>(({ created }) => created);
  /** In the order of the collection's `ordered`. */
  readonly #byTime: readonly SortedRows<Row<RecordOf<N>>>[];
  readonly #terms: TermIndex<Row<RecordOf<N>>>;
  /** What walks find, from `prepare` to `page`. */
  readonly #scans = new Map<Walked<N>, Scan<Row<RecordOf<N>>>>();
  /** The last walk that began, and a turn after it. */
  #lastWalk: Promise<void> = Promise.resolve();
  #puts = 0;

  /** @param dead absent without a journal */
  constructor(
    private readonly collection: Collection<N>,
    private readonly dead: DeadLines | undefined,
  ) {
    this.#byTime = Object.keys(collection.ordered).map(
      (_, term) => new SortedRows(({ times }) => times[term] ?? Number.NaN),
    );
    this.#terms = new TermIndex(({ record }) => collection.terms(record));
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): Stored<Records[N]> | undefined {
    return this.#rows.get(id)?.record;
  }

  /** Adds a record or replaces the one with its id. `line` is that of the journal, if there is one. */
  put(record: Stored<Records[N]>, line: LineLocation | undefined): void {
    const row = createRow(this.collection, record, line);
    const previous = this.#rows.get(record.id);
    this.#rows.set(record.id, row);
    if (previous === undefined) this.#byCreation.add(row);
    else {
      this.#byCreation.replace(previous, row);
      this.#forget([previous]);
    }
    this.#terms.add(row);
    for (const rows of this.#timesOf(row)) rows.add(row);
    for (const [part, { found }] of this.#scans)
      if (matches(this.collection, row.record, part)) found.add(row);
    this.#puts += 1;
    if (this.#puts % PUTS_PER_DROP === 0) this.#dropOld();
  }

  remove(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rows.delete(id);
    this.#byCreation.remove(row);
    this.#forget([row]);
  }

  /** Schedules the lines of all records for erasure. Nobody may use the table any more. */
  drop(): void {
    this.dead?.scheduleErase(this.#rows.values());
  }

  /** Indexes and walks what a condition needs, in slices. @returns what to await, until it is undefined, before `page` */
  prepare(where: Condition<N> | undefined): Promise<void> | undefined {
    const parts = where === undefined ? [] : partsOf(where);
    const indexing = parts.some((part) => 'term' in part || isWalked(part))
      ? this.#terms.prepare()
      : undefined;
    if (indexing) return indexing;
    const pending = parts.filter(isWalked).flatMap((part) => this.#scan(part).pending ?? []);
    return pending.length === 0 ? undefined : Promise.all(pending).then(() => {});
  }

  /** Begins to find the rows of a condition, one condition after the other: rows are held until the page is read. */
  #scan(part: Walked<N>): Scan<Row<RecordOf<N>>> {
    const known = this.#scans.get(part);
    if (known) return known;
    const found = new Set<Row<RecordOf<N>>>();
    const walk = this.#lastWalk.then(() =>
      forEachYielding(this.#textsFor(part), ([prefix, text, rows]) => {
        if (!text.startsWith(prefix)) return;
        if (rows instanceof Set) for (const row of rows) found.add(row);
        else found.add(rows);
      }),
    );
    const pending = walk.then(() => {
      scan.pending = undefined;
    });
    const scan: Scan<Row<RecordOf<N>>> = { found, pending };
    this.#lastWalk = walk.then(nextTurn);
    this.#scans.set(part, scan);
    return scan;
  }

  /** The ids, or the values of a term, beside each prefix that they may have, and the rows they belong to. */
  *#textsFor(part: Walked<N>) {
    for (const { term, prefix } of 'any' in part ? part.any : [part]) {
      const indexed = indexedValue(term, prefix);
      const texts = term === 'id' ? this.#rows : this.#terms.values(term);
      for (const [text, rows] of texts) yield [indexed, text, rows] as const;
    }
  }

  /** Returns a page of the matching records in the order of lists. */
  page(where: Condition<N> | undefined, offset: number, limit: number): Found<Records[N]> {
    const everything = new RowRange(this.#byCreation.rows, 0, this.size, () => true);
    const set = where === undefined ? everything : this.#select(where, everything);
    for (const part of where === undefined ? [] : partsOf(where))
      if (isWalked(part)) this.#scans.delete(part);
    const rows = limit === 0 ? [] : this.#pageOf(set, offset, limit);
    const { retention } = this.collection;
    const [oldest] = this.#byCreation.rows;
    return {
      records: rows.map(({ record }) => record),
      total: set.size,
      ...(oldest && retention && this.size >= retention && { completeFrom: oldest.created }),
    };
  }

  /** The records as they are now, the oldest first. */
  records(): Stored<Records[N]>[] {
    return this.#byCreation.rows.map(({ record }) => record);
  }

  #pageOf(set: RowSet<Row<RecordOf<N>>>, offset: number, limit: number): Row<RecordOf<N>>[] {
    if (set.size <= FEW) return [...set].sort(compareRows).slice(offset, offset + limit);
    const { rows } = this.#byCreation;
    const page: Row<RecordOf<N>>[] = [];
    let skipped = 0;
    for (let at = rows.length - 1; at >= 0 && page.length < limit; at -= 1) {
      const row = rows[at] as Row<RecordOf<N>>;
      if (!set.has(row)) continue;
      if (skipped < offset) skipped += 1;
      else page.push(row);
    }
    return page;
  }

  #select(where: Condition<N>, everything: RowSet<Row<RecordOf<N>>>): RowSet<Row<RecordOf<N>>> {
    const scan = isWalked(where) && this.#scans.get(where);
    if (scan) return scan.found;
    const selectAll = (parts: Condition<N>[]) => parts.map((part) => this.#select(part, everything));
    if ('all' in where) return intersect(selectAll(where.all), everything);
    if ('any' in where) return unite(selectAll(where.any), everything);
    if ('not' in where) return subtract(everything, this.#select(where.not, everything));
    if ('ids' in where) return new Set(where.ids.flatMap((id) => this.#rows.get(id) ?? []));
    if ('range' in where) return this.#orderedBy(where.range).between(where);
    return 'is' in where ? this.#terms.get(where.term, indexedValue(where.term, where.is)) : new Set();
  }

  #orderedBy(term: OrderedTerms[N]): SortedRows<Row<RecordOf<N>>> {
    return this.#byTime[Object.keys(this.collection.ordered).indexOf(term)] ?? this.#byCreation;
  }

  /** The indexes by time that have a row, but for that of creation. */
  #timesOf({ times }: Row): readonly SortedRows<Row<RecordOf<N>>>[] {
    return this.#byTime.filter((_, term) => !Number.isNaN(times[term]));
  }

  /** Drops what newer records push out. */
  #dropOld(): void {
    const { retention } = this.collection;
    if (retention === undefined) return;
    const dropped = this.#byCreation.removeFirst(Math.max(0, this.size - retention));
    for (const { record } of dropped) this.#rows.delete(record.id);
    this.#forget(dropped);
  }

  /** Forgets rows that are replaced or no longer listed. */
  #forget(rows: readonly Row<RecordOf<N>>[]): void {
    for (const row of rows) {
      this.#terms.remove(row);
      for (const { found } of this.#scans.values()) found.delete(row);
      for (const times of this.#timesOf(row)) times.remove(row);
    }
    this.dead?.scheduleErase(rows);
  }
}

/** The rows of a condition that a walk finds. */
interface Scan<T> {
  readonly found: Set<T>;
  /** Until the walk is done. */
  pending: Promise<void> | undefined;
}

type Prefixed<N extends CollectionName> = Extract<Condition<N>, { prefix: string }>;

/** A prefix, or several of which any will do: found in one set, however many there are. */
type Walked<N extends CollectionName> = Prefixed<N> | { any: Prefixed<N>[] };

const isWalked = <N extends CollectionName>(where: Condition<N>): where is Walked<N> =>
  'prefix' in where || ('any' in where && where.any.every((part) => 'prefix' in part));

function partsOf<N extends CollectionName>(where: Condition<N>): Condition<N>[] {
  if (isWalked(where)) return [where];
  if ('all' in where) return where.all.flatMap(partsOf);
  if ('any' in where) return where.any.flatMap(partsOf);
  return 'not' in where ? partsOf(where.not) : [where];
}
