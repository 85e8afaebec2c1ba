import type { Collection } from '../collections.js';
import type { TextTerm } from '../condition.js';
import { indexedValue } from '../matches.js';
import type { CollectionName, Records } from '../records.js';
import { forEachYielding } from '../yielding.js';

type Values<T> = Map<T, string>;

/**
 * The values of terms, for trailing wildcards: a search looks at each value of one term. Few programs use them and they take
 * memory, so the values of a term are read when it is first asked for, without blocking others, and kept up to date from
 * then on.
 */
export class TextIndexes<N extends CollectionName, T> {
  readonly #indexes = new Map<TextTerm<N>, Values<T>>();
  readonly #building = new Map<TextTerm<N>, Promise<void>>();
  readonly #collection: Collection<N>;

  constructor(collection: Collection<N>) {
    this.#collection = collection;
  }

  /** Returns a promise to await before `withPrefix`, while the values of a term are being read. */
  prepare(
    term: TextTerm<N>,
    rows: readonly T[],
    read: (row: T) => Records[N] | undefined,
  ): Promise<void> | undefined {
    const building = this.#building.get(term);
    if (building !== undefined || this.#indexes.has(term)) return building;
    const built = this.#build(term, rows, read).finally(() => this.#building.delete(term));
    this.#building.set(term, built);
    return built;
  }

  /** Returns the rows whose value begins with a prefix. */
  withPrefix(term: TextTerm<N>, prefix: string): Set<T> {
    const wanted = indexedValue(term, prefix);
    const rows = new Set<T>();
    for (const [row, value] of this.#indexes.get(term) ?? []) if (value.startsWith(wanted)) rows.add(row);
    return rows;
  }

  add(row: T, record: Records[N]): void {
    for (const [term, values] of this.#indexes) this.#add(term, values, row, record);
  }

  remove(row: T): void {
    for (const values of this.#indexes.values()) values.delete(row);
  }

  /** `read` returns undefined for a row that was removed since. */
  async #build(
    term: TextTerm<N>,
    rows: readonly T[],
    read: (row: T) => Records[N] | undefined,
  ): Promise<void> {
    const values: Values<T> = new Map();
    // From here on changes reach the index too.
    this.#indexes.set(term, values);
    try {
      await forEachYielding([...rows], (row) => {
        const record = values.has(row) ? undefined : read(row);
        if (record !== undefined) this.#add(term, values, row, record);
      });
    } catch (error) {
      // Half an index would hide records for good.
      this.#indexes.delete(term);
      throw error;
    }
  }

  #add(term: TextTerm<N>, values: Values<T>, row: T, record: Records[N]): void {
    const value = this.#value(term, record);
    if (value !== undefined) values.set(row, value);
  }

  #value(term: TextTerm<N>, record: Records[N]): string | undefined {
    if (term === 'id') return record.id;
    for (const [name, value] of this.#collection.terms(record)) if (name === term) return value;
    return undefined;
  }
}
