import type { Collection } from '../collections.js';
import type { TextTerm } from '../condition.js';
import { indexedValue } from '../matches.js';
import type { CollectionName, Records } from '../records.js';
import { forEachYielding } from '../yielding.js';

/** Terms of a table whose values are kept. */
const MAX_TERMS = 64;

type Values<T> = Map<T, string>;

/**
 * The values of terms, for trailing wildcards: a search looks at each value of one term. Few programs use them and they take
 * memory, so the values of a term are read when it is first asked for, without blocking others, and kept up to date from
 * then on. If there are too many, those of the term that was asked for least recently are dropped.
 */
export class TextIndexes<N extends CollectionName, T extends { record: Records[N] }> {
  /** In the order of their last use. */
  readonly #indexes = new Map<TextTerm<N>, Values<T>>();
  readonly #building = new Map<TextTerm<N>, Promise<void>>();
  readonly #collection: Collection<N>;

  constructor(collection: Collection<N>) {
    this.#collection = collection;
  }

  get size(): number {
    return this.#indexes.size;
  }

  /**
   * Returns a promise to await before `withPrefix`, while the values of a term are being read from `rows`. `isPresent` says
   * whether a row was not removed since.
   */
  prepare(
    term: TextTerm<N>,
    rows: () => Iterable<T>,
    isPresent: (row: T) => boolean,
  ): Promise<void> | undefined {
    const building = this.#building.get(term);
    if (building !== undefined || this.#indexes.has(term)) return building;
    const found = [...rows()];
    if (found.length === 0) return undefined;
    const built = this.#build(term, found, isPresent).finally(() => this.#building.delete(term));
    this.#building.set(term, built);
    return built;
  }

  /** Returns the rows whose value begins with a prefix. */
  withPrefix(term: TextTerm<N>, prefix: string): Set<T> {
    const rows = new Set<T>();
    const values = this.#indexes.get(term);
    if (values === undefined) return rows;
    this.#indexes.delete(term);
    this.#indexes.set(term, values);
    const wanted = indexedValue(term, prefix);
    for (const [row, value] of values) if (value.startsWith(wanted)) rows.add(row);
    return rows;
  }

  /**
   * Drops the values that are too many and those of terms that no record has any more. To be called after a query, which may
   * need more at once.
   */
  trim(): void {
    for (const [term, values] of this.#indexes) {
      if (this.#building.has(term)) continue;
      if (values.size === 0 || this.#indexes.size > MAX_TERMS) this.#indexes.delete(term);
    }
  }

  add(row: T, record: Records[N]): void {
    if (this.#indexes.size === 0) return;
    this.#indexes.get('id')?.set(row, record.id);
    for (const [term, value] of this.#collection.terms(record)) {
      this.#indexes.get(term as TextTerm<N>)?.set(row, value);
    }
  }

  remove(row: T): void {
    for (const values of this.#indexes.values()) values.delete(row);
  }

  async #build(term: TextTerm<N>, rows: readonly T[], isPresent: (row: T) => boolean): Promise<void> {
    const values: Values<T> = new Map();
    // From here on changes reach the index too.
    this.#indexes.set(term, values);
    await forEachYielding(rows, (row) => {
      const value = isPresent(row) ? this.#valueOf(term, row.record) : undefined;
      if (value !== undefined) values.set(row, value);
    });
  }

  #valueOf(term: TextTerm<N>, record: Records[N]): string | undefined {
    if (term === 'id') return record.id;
    for (const [name, value] of this.#collection.terms(record)) if (name === term) return value;
    return undefined;
  }
}
