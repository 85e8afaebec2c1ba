import type { Bounds } from '../condition.js';
import { isWithin } from '../matches.js';
import { compareRows, type Row } from './row.js';
import { RowRange, type RowSet } from './row-set.js';

/** Added rows up to which each is put into its place; more are sorted in. */
const FEW = 64;

/** Rows in ascending order of a time. A new row nearly always belongs near the end, and is put there when they are next read. */
export class SortedRows<T extends Row> {
  #rows: T[] = [];
  /** How many rows at the start of the array are in order. */
  #inOrder = 0;

  constructor(private readonly timeOf: (row: T) => number) {}

  /** The rows themselves, not a copy. */
  get rows(): readonly T[] {
    return this.#sorted();
  }

  add(row: T): void {
    const last = this.#rows[this.#rows.length - 1];
    const isNext = last === undefined || this.#compare(last, row) < 0;
    if (isNext && this.#inOrder === this.#rows.length) this.#inOrder += 1;
    this.#rows.push(row);
  }

  remove(row: T): void {
    const rows = this.#sorted();
    const at = this.#indexOf(row);
    if (rows[at] !== row) return;
    rows.splice(at, 1);
    this.#inOrder -= 1;
  }

  /** Replaces a row by another one, which may have another time. */
  replace(row: T, next: T): void {
    if (this.#compare(row, next) === 0) this.#sorted()[this.#indexOf(row)] = next;
    else {
      this.remove(row);
      this.add(next);
    }
  }

  removeFirst(count: number): T[] {
    const removed = this.#sorted().splice(0, count);
    this.#inOrder -= removed.length;
    return removed;
  }

  /** The rows whose time lies within the bounds. */
  between(bounds: Bounds): RowSet<T> {
    const { gt, gte, lt, lte } = bounds;
    const rows = this.#sorted();
    const isAfterStart = (row: T) =>
      (gt === undefined || this.timeOf(row) > gt) && (gte === undefined || this.timeOf(row) >= gte);
    const isAfterEnd = (row: T) =>
      (lt !== undefined && this.timeOf(row) >= lt) || (lte !== undefined && this.timeOf(row) > lte);
    const has = (row: T) => isWithin(this.timeOf(row), bounds);
    return new RowRange(rows, firstIndexWhere(rows, isAfterStart), firstIndexWhere(rows, isAfterEnd), has);
  }

  #sorted(): T[] {
    const rows = this.#rows;
    if (this.#inOrder === rows.length) return rows;
    const added = rows.splice(this.#inOrder).sort((a, b) => this.#compare(a, b));
    if (added.length <= FEW) for (const row of added) rows.splice(this.#indexOf(row), 0, row);
    else this.#merge(added);
    this.#inOrder = rows.length;
    return rows;
  }

  /** Merges sorted rows with those behind the first of them, which are few where rows come in the order of time. */
  #merge(added: T[]): void {
    const behind = this.#rows.splice(this.#indexOf(added[0] as T));
    for (const row of behind.concat(added).sort((a, b) => this.#compare(a, b))) this.#rows.push(row);
  }

  #indexOf(row: T): number {
    return firstIndexWhere(this.#rows, (other) => this.#compare(other, row) >= 0);
  }

  #compare(a: T, b: T): number {
    return this.timeOf(a) - this.timeOf(b) || compareRows(b, a);
  }
}

/** Returns the index of the first item that passes a test, or the length. Those behind one that passes must pass too. */
function firstIndexWhere<T>(items: readonly T[], test: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
