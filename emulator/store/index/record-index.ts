import { firstIndexWhere } from '../binary-search.js';
import type { Bounds } from '../condition.js';
import type { Row } from './index-keys.js';
import { RowRange, type RowSet } from './row-set.js';
import { SortedRows } from './sorted-rows.js';
import { TermIndex } from './term-index.js';

/** Below this many rows a page is sorted; above, all rows are walked in order until the page is full. */
const FEW = 2000;

/** The indexes over the records of one collection and tenant. */
export class RecordIndex<T extends Row> {
  #rows = new Map<string, T>();
  /** Ascending; lists are read from the end. */
  readonly #byCreation: SortedRows<T>;
  readonly #byTime: SortedRows<T>[];
  readonly terms = new TermIndex<T>();

  /**
   * @param times the number of times that are indexed apart from that of creation
   * @param isByIdAlone records have no time of creation
   */
  constructor(times: number, isByIdAlone: boolean) {
    this.#byCreation = new SortedRows<T>((a, b) => compare(b, a), isByIdAlone);
    this.#byTime = Array.from(
      { length: times },
      (_, term) => new SortedRows((a, b) => timeOf(a, term) - timeOf(b, term) || compare(a, b)),
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

  /** All rows, as a set. */
  get everything(): RowSet<T> {
    return new RowRange(this.rows, 0, this.size, () => true);
  }

  /** Takes the rows that a start found. */
  load(rows: Map<string, T>): void {
    this.#rows = rows;
    const all = [...rows.values()];
    this.terms.load(all.slice(), (row) => this.#rows.get(row.id) === row);
    this.#byTime.forEach((sorted, term) => {
      sorted.load(all.filter((row) => timeOf(row, term) !== 0));
    });
    this.#byCreation.load(all);
  }

  add(row: T): void {
    this.#rows.set(row.id, row);
    this.#byCreation.add(row);
    this.#addKeys(row);
  }

  /** Replaces a row by another one with the same id. */
  replace(row: T, next: T): void {
    this.#removeKeys(row);
    this.#rows.set(next.id, next);
    this.#byCreation.replace(row, next);
    this.#addKeys(next);
  }

  remove(row: T): void {
    this.#removeKeys(row);
    this.#byCreation.remove(row);
    this.#rows.delete(row.id);
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
    );
  }

  /** Returns a page of a set in the order of lists: newest first, then by id. */
  page(set: RowSet<T>, offset: number, limit: number): T[] {
    if (limit === 0) return [];
    if (set.size <= FEW || set.size < this.size / 16) {
      return [...set].sort(compare).slice(offset, offset + limit);
    }
    const page: T[] = [];
    let skipped = 0;
    for (let i = this.rows.length - 1; i >= 0 && page.length < limit; i -= 1) {
      const row = this.rows[i] as T;
      if (!set.has(row)) continue;
      if (skipped < offset) skipped += 1;
      else page.push(row);
    }
    return page;
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

/** The order of lists. */
function compare(a: Row, b: Row): number {
  return b.created - a.created || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function timeOf(row: Row, term: number): number {
  return term < 0 ? row.created : (row.times[term] ?? 0);
}
