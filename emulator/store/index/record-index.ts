import { firstIndexWhere } from '../binary-search.js';
import type { Bounds } from '../condition.js';
import { compareRows, type Row } from './row.js';
import { RowRange, type RowSet } from './row-set.js';
import { SortedRows } from './sorted-rows.js';
import { TermIndex } from './term-index.js';

/** Up to this many rows in no order are sorted; above, all rows are walked in order until the page is full. */
const FEW = 2000;

/** The indexes over the records of one collection and tenant. */
export class RecordIndex<T extends Row> {
  readonly #rows = new Map<string, T>();
  /** Ascending; lists are read from the end. */
  readonly #byCreation: SortedRows<T>;
  readonly #byTime: SortedRows<T>[];
  readonly terms: TermIndex<T>;

  /** @param times the number of times that are indexed apart from that of creation */
  constructor(times: number, termsOf: (row: T) => Iterable<readonly [term: string, value: string]>) {
    this.#byCreation = new SortedRows((a, b) => compareRows(b, a));
    this.terms = new TermIndex(termsOf);
    this.#byTime = Array.from(
      { length: times },
      (_, term) => new SortedRows((a, b) => timeOf(a, term) - timeOf(b, term) || compareRows(a, b)),
    );
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): T | undefined {
    return this.#rows.get(id);
  }

  /** All rows, the oldest first. */
  get rows(): readonly T[] {
    return this.#byCreation.rows;
  }

  /** All rows, in any order. */
  get unordered(): Iterable<T> {
    return this.#rows.values();
  }

  /** All rows, as a set. */
  get everything(): RowSet<T> {
    return new RowRange(this.rows, 0, this.size, () => true, true);
  }

  add(row: T): void {
    this.#rows.set(row.record.id, row);
    this.#byCreation.add(row);
    this.#addKeys(row);
  }

  /** Replaces a row by another one with the same id. */
  replace(row: T, next: T): void {
    this.#rows.set(next.record.id, next);
    this.#removeKeys(row);
    this.#byCreation.replace(row, next);
    this.#addKeys(next);
  }

  remove(row: T): void {
    this.#rows.delete(row.record.id);
    this.#removeKeys(row);
    this.#byCreation.remove(row);
  }

  /** The rows whose time lies within the bounds. `term` is an index into `times`, or -1 for the time of creation. */
  between(term: number, { gt, gte, lt, lte }: Bounds): RowSet<T> {
    const { rows } = this.#byTime[term] ?? this.#byCreation;
    const isAfterStart = (row: T) =>
      (gt === undefined || timeOf(row, term) > gt) && (gte === undefined || timeOf(row, term) >= gte);
    const isAfterEnd = (row: T) =>
      (lt !== undefined && timeOf(row, term) >= lt) || (lte !== undefined && timeOf(row, term) > lte);
    const isWithin = (row: T) =>
      (term < 0 || timeOf(row, term) !== 0) && isAfterStart(row) && !isAfterEnd(row);
    return new RowRange(
      rows,
      firstIndexWhere(rows, isAfterStart),
      firstIndexWhere(rows, isAfterEnd),
      isWithin,
      term < 0,
    );
  }

  /** Returns a page of a set in the order of lists. */
  page(set: RowSet<T>, offset: number, limit: number): T[] {
    if (limit === 0) return [];
    if (set.isOrdered) return slice(set, offset, limit);
    if (set.size <= FEW || set.size < this.size / 16) {
      return [...set].sort(compareRows).slice(offset, offset + limit);
    }
    return slice(rowsIn(this.everything, set), offset, limit);
  }

  #addKeys(row: T): void {
    this.terms.add(row);
    row.times.forEach((time, term) => {
      if (time !== 0) this.#byTime[term]?.add(row);
    });
  }

  #removeKeys(row: T): void {
    this.terms.remove(row);
    row.times.forEach((time, term) => {
      if (time !== 0) this.#byTime[term]?.remove(row);
    });
  }
}

function slice<T>(rows: Iterable<T>, offset: number, limit: number): T[] {
  const page: T[] = [];
  let skipped = 0;
  for (const row of rows) {
    if (skipped < offset) skipped += 1;
    else if (page.push(row) === limit) break;
  }
  return page;
}

function* rowsIn<T>(rows: Iterable<T>, set: RowSet<T>): Generator<T> {
  for (const row of rows) if (set.has(row)) yield row;
}

function timeOf(row: Row, term: number): number {
  return term < 0 ? row.created : (row.times[term] ?? 0);
}
