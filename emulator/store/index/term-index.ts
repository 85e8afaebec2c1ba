import { forEachYielding } from '../../lib/turns.js';
import type { RowSet } from './row-set.js';

/** Rows above which they are indexed in slices. */
const FEW_WAITING = 500;

/** Maps terms and values to the one row, or the rows, that have them. A look-up indexes, not the start (goal G2). */
export class TermIndex<T extends object> {
  readonly #rows = new Map<string, Map<string, T | Set<T>>>();
  /** Rows that are still to be indexed. */
  readonly #waiting = new Set<T>();
  /** Until the walk over those is done, which searches share. */
  #indexing: Promise<void> | undefined;

  /** @param termsOf returns the terms of a row and their values, each pair once */
  constructor(private readonly termsOf: (row: T) => Iterable<readonly [term: string, value: string]>) {}

  /** Returns a promise to await before a look-up, if there are many rows to index. */
  prepare(): Promise<void> | undefined {
    if (this.#waiting.size <= FEW_WAITING) return undefined;
    this.#indexing ??= forEachYielding(this.#waiting, (row) => this.#index(row))?.then(() => {
      this.#indexing = undefined;
    });
    return this.#indexing;
  }

  get(term: string, value: string): RowSet<T> {
    const found = this.#valuesOf(term)?.get(value);
    if (found instanceof Set) return found;
    return new Set(found === undefined ? [] : [found]);
  }

  values(term: string): Iterable<readonly [value: string, rows: T | Set<T>]> {
    return this.#valuesOf(term) ?? [];
  }

  add(row: T): void {
    this.#waiting.add(row);
  }

  remove(row: T): void {
    if (this.#waiting.delete(row)) return;
    for (const [term, value] of this.termsOf(row)) {
      const values = this.#rows.get(term);
      const found = values?.get(value);
      if (found instanceof Set) found.delete(row);
      if (found === row || (found instanceof Set && found.size === 0)) values?.delete(value);
      if (values?.size === 0) this.#rows.delete(term);
    }
  }

  #valuesOf(term: string): Map<string, T | Set<T>> | undefined {
    for (const row of this.#waiting) this.#index(row);
    return this.#rows.get(term);
  }

  #index(row: T): void {
    this.#waiting.delete(row);
    for (const [term, value] of this.termsOf(row)) {
      let values = this.#rows.get(term);
      if (values === undefined) {
        values = new Map();
        this.#rows.set(term, values);
      }
      const found = values.get(value);
      if (found === undefined) values.set(value, row);
      else if (found instanceof Set) found.add(row);
      else values.set(value, new Set([found, row]));
    }
  }
}
