import { DeferredRows } from './deferred-rows.js';
import { forEachHash, type Row } from './index-keys.js';
import type { RowSet } from './row-set.js';
import { type TermRowOptions, TermRows } from './term-rows.js';

/**
 * Maps the hash of a term to the rows that have it. Most terms (a fingerprint, a customer's id) belong to one row, which is
 * then in the map by itself.
 */
export class TermIndex<T extends Row> {
  readonly #options: TermRowOptions<T>;
  readonly #rows = new Map<string, T | TermRows<T>>();
  #deferred: DeferredRows<T> | undefined;

  constructor(options: TermRowOptions<T>) {
    this.#options = options;
  }

  /** Takes the rows that a start found; `readHashes` computes the hashes of a row without them from its record. */
  load(rows: T[], readHashes: (row: T) => string): void {
    this.#deferred = new DeferredRows(rows, this.#options.compare, (row) => {
      if (!this.#options.isPresent(row)) return;
      row.hashes ??= readHashes(row);
      this.add(row);
    });
  }

  /** Returns a promise to await before `get`, if there are many rows to index. */
  prepare(): Promise<void> | undefined {
    return this.#deferred?.prepare();
  }

  get(hash: string): RowSet<T> {
    this.#deferred?.finish();
    const found = this.#rows.get(hash);
    if (found instanceof TermRows) return found;
    return new Set(found === undefined ? [] : [found]);
  }

  add(row: T): void {
    forEachHash(row, (hash) => {
      const found = this.#rows.get(hash);
      if (found === undefined) this.#rows.set(hash, row);
      else if (found instanceof TermRows) found.add(row);
      else if (found !== row) this.#rows.set(hash, this.#several(hash, found, row));
    });
  }

  /** Removes a row, which must be present no longer. */
  remove(row: T): void {
    if (this.#deferred?.has(row)) return;
    forEachHash(row, (hash) => {
      const found = this.#rows.get(hash);
      if (found instanceof TermRows) found.remove();
      if (found === row || (found instanceof TermRows && found.size === 0)) this.#rows.delete(hash);
    });
  }

  #several(hash: string, ...rows: T[]): TermRows<T> {
    const several = new TermRows(hash, this.#options);
    for (const row of rows) several.add(row);
    return several;
  }
}
