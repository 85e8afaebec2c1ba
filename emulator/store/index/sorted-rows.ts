import { firstIndexWhere } from '../binary-search.js';

/** Added rows up to which each is put into its place; if there are more, the whole array is sorted. */
const FEW = 64;

/** Returns the index of the first row of a sorted array that is not before the given one. */
function sortedIndex<T>(rows: readonly T[], row: T, compare: (a: T, b: T) => number): number {
  return firstIndexWhere(rows, (other) => compare(other, row) >= 0);
}

/**
 * Rows in ascending order, in one array. Records are created in the order of time, so a new row nearly always belongs at the
 * end or close to it. It is put into its place when the rows are next read. To remove a row takes about 60 µs if there are
 * 100,000.
 */
export class SortedRows<T> {
  readonly #compare: (a: T, b: T) => number;
  #rows: T[] = [];
  /** How many rows at the start of the array are in order. */
  #inOrder = 0;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

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

  /** Removes a row, which must compare as it did when it was added. */
  remove(row: T): void {
    const rows = this.#sorted();
    const at = sortedIndex(rows, row, this.#compare);
    if (rows[at] !== row) return;
    rows.splice(at, 1);
    this.#inOrder -= 1;
  }

  /** Replaces a row by another one, which may compare differently. */
  replace(row: T, next: T): void {
    if (this.#compare(row, next) !== 0) {
      this.remove(row);
      this.add(next);
      return;
    }
    const rows = this.#sorted();
    rows[sortedIndex(rows, row, this.#compare)] = next;
  }

  #sorted(): T[] {
    const rows = this.#rows;
    if (this.#inOrder === rows.length) return rows;
    if (rows.length - this.#inOrder > FEW) rows.sort(this.#compare);
    else
      for (const row of rows.splice(this.#inOrder))
        rows.splice(sortedIndex(rows, row, this.#compare), 0, row);
    this.#inOrder = rows.length;
    return rows;
  }
}
