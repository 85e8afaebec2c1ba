import { forEachYielding } from '../yielding.js';
import type { Row } from './row.js';
import type { RowSet } from './row-set.js';
import { SortedRows } from './sorted-rows.js';

/** Removed rows up to which they stay in the array. */
const FEW_REMOVED = 64;
/** Rows above which they are indexed in slices. */
const FEW_WAITING = 500;

/** How the rows of terms are kept. */
interface TermOptions<T> {
  /** The terms of a row and their values, each pair once. */
  termsOf(row: T): Iterable<readonly [term: string, value: string]>;
  /** The order of the rows, ascending. */
  compare(a: T, b: T): number;
  /** Whether `compare` is the reverse of the order of lists. */
  isOrdered: boolean;
  /** Whether a row is still stored. */
  isPresent(row: T): boolean;
}

/**
 * Maps a term and its value to the rows that have it. Most values (a fingerprint, a customer's id) belong to one row, which is
 * then in the map by itself. Rows are indexed when a term is looked up, so that a start need not wait for it.
 */
export class TermIndex<T extends Pick<Row, 'shared'>> {
  readonly #options: TermOptions<T>;
  readonly #rows = new Map<string, Map<string, T | TermRows<T>>>();
  /** Rows that are still to be indexed, from `#next` on. */
  #waiting: T[] = [];
  #next = 0;
  /** How many of them were removed since. */
  #removed = 0;

  constructor(options: TermOptions<T>) {
    this.#options = options;
  }

  /** Returns a promise to await before `get`, if there are many rows to index. */
  prepare(): Promise<void> | undefined {
    if (this.#waiting.length - this.#next <= FEW_WAITING) return undefined;
    return forEachYielding(this.#takeWaiting(), (row) => this.#index(row));
  }

  get(term: string, value: string): RowSet<T> {
    for (const row of this.#takeWaiting()) this.#index(row);
    const found = this.#rows.get(term)?.get(value);
    if (found instanceof TermRows) return found;
    return new Set(found === undefined ? [] : [found]);
  }

  add(row: T): void {
    this.#waiting.push(row);
  }

  *#takeWaiting(): Generator<T> {
    while (this.#next < this.#waiting.length) {
      const row = this.#waiting[this.#next] as T;
      this.#next += 1;
      if (this.#options.isPresent(row)) yield row;
    }
    this.#keepWaiting([]);
  }

  #keepWaiting(rows: T[]): void {
    this.#waiting = rows;
    this.#next = 0;
    this.#removed = 0;
  }

  /** Forgets removed rows when they are most of those that wait, so that they do not pile up where no term is looked up. */
  #removeWaiting(): void {
    this.#removed += 1;
    const waiting = this.#waiting.length - this.#next;
    if (this.#removed <= FEW_REMOVED || this.#removed < waiting / 2) return;
    this.#keepWaiting(this.#waiting.slice(this.#next).filter(this.#options.isPresent));
  }

  #index(row: T): void {
    const shared: TermRows<T>[] = [];
    for (const [term, value] of this.#options.termsOf(row)) {
      let values = this.#rows.get(term);
      if (values === undefined) {
        values = new Map();
        this.#rows.set(term, values);
      }
      const found = values.get(value);
      if (found === undefined) values.set(value, row);
      else if (found !== row) {
        const rows = found instanceof TermRows ? found : this.#share(found);
        if (rows !== found) values.set(value, rows);
        rows.add(row);
        shared.push(rows);
      }
    }
    // Of exactly the length that it needs: there is one for each row.
    row.shared = shared.slice();
  }

  /** Removes a row, which must be present no longer. */
  remove(row: T): void {
    if (row.shared === undefined) {
      this.#removeWaiting();
      return;
    }
    for (const [term, value] of this.#options.termsOf(row)) {
      const values = this.#rows.get(term);
      const found = values?.get(value);
      if (found instanceof TermRows) found.remove();
      if (found === row || (found instanceof TermRows && found.size === 0)) values?.delete(value);
      if (values?.size === 0) this.#rows.delete(term);
    }
  }

  /** Makes the set of a term that a second row has too. */
  #share(first: T): TermRows<T> {
    const rows = new TermRows<T>(this.#options);
    rows.add(first);
    first.shared = [...(first.shared ?? []), rows];
    return rows;
  }
}

/**
 * The rows that have a term. A removed row stays in their array until there are more removed rows than others: a `Set` for each
 * term would take half as much memory again, and has no order.
 */
class TermRows<T extends Pick<Row, 'shared'>> implements RowSet<T> {
  readonly #options: TermOptions<T>;
  readonly #rows: SortedRows<T>;
  #size = 0;

  constructor(options: TermOptions<T>) {
    this.#options = options;
    this.#rows = new SortedRows(options.compare);
  }

  get size(): number {
    return this.#size;
  }

  get isOrdered(): boolean {
    return this.#options.isOrdered;
  }

  has(row: T): boolean {
    return row.shared?.includes(this) ?? false;
  }

  *[Symbol.iterator](): Generator<T> {
    const { rows } = this.#rows;
    for (let i = rows.length - 1; i >= 0; i -= 1) {
      if (this.#options.isPresent(rows[i] as T)) yield rows[i] as T;
    }
  }

  add(row: T): void {
    this.#rows.add(row);
    this.#size += 1;
  }

  /** Removes a row, which was added and is present no longer. */
  remove(): void {
    this.#size -= 1;
    const removed = this.#rows.length - this.#size;
    if (removed > this.#size + FEW_REMOVED) this.#rows.filter(this.#options.isPresent);
  }
}
