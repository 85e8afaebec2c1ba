import type { Collection } from '../collections.js';
import type { TextTerm } from '../condition.js';
import { indexedValue } from '../matches.js';
import type { CollectionName, Records } from '../records.js';
import { inSlices } from '../yielding.js';
import { SortedRowIds } from './sorted-row-ids.js';

interface TextIndex {
  values: Map<number, string>;
  slots: SortedRowIds;
}

/**
 * The values of terms in alphabetical order, for trailing wildcards. Few programs use them, and they take memory, so the
 * index of a term is built when the term is first asked for, in slices, and kept up to date from then on.
 */
export class TextIndexes<N extends CollectionName> {
  readonly #indexes = new Map<TextTerm<N>, TextIndex>();
  readonly #building = new Map<TextTerm<N>, Promise<void>>();
  readonly #collection: Collection<N>;

  constructor(collection: Collection<N>) {
    this.#collection = collection;
  }

  /** Makes the index of a term, unless it is there; what `capacity` and `read` give may change while this waits. */
  prepare(
    term: TextTerm<N>,
    capacity: () => number,
    read: (slot: number) => Records[N] | undefined,
  ): Promise<void> | undefined {
    const building = this.#building.get(term);
    if (building !== undefined || this.#indexes.has(term)) return building;
    const built = this.#build(term, capacity, read).finally(() => this.#building.delete(term));
    this.#building.set(term, built);
    return built;
  }

  withPrefix(term: TextTerm<N>, prefix: string): Iterable<number> {
    const index = this.#indexes.get(term);
    if (index === undefined) return [];
    const wanted = indexedValue(term, prefix);
    const value = (slot: number) => index.values.get(slot) ?? '';
    return index.slots.between(
      (slot) => value(slot) >= wanted,
      (slot) => !value(slot).startsWith(wanted),
    );
  }

  add(slot: number, record: Records[N]): void {
    for (const [term, index] of this.#indexes) this.#add(term, index, slot, record);
  }

  remove(slot: number): void {
    for (const index of this.#indexes.values()) {
      index.slots.remove(slot);
      index.values.delete(slot);
    }
  }

  async #build(
    term: TextTerm<N>,
    capacity: () => number,
    read: (slot: number) => Records[N] | undefined,
  ): Promise<void> {
    const index = createIndex();
    // From here on additions and removals reach the index too.
    this.#indexes.set(term, index);
    try {
      await inSlices(upTo(capacity), (slot) => {
        const record = index.values.has(slot) ? undefined : read(slot);
        if (record !== undefined) this.#add(term, index, slot, record);
      });
    } catch (error) {
      // Half an index would hide records for good.
      this.#indexes.delete(term);
      throw error;
    }
  }

  #add(term: TextTerm<N>, index: TextIndex, slot: number, record: Records[N]): void {
    const value = this.#value(term, record);
    if (value === undefined) return;
    index.values.set(slot, value);
    index.slots.add(slot);
  }

  #value(term: TextTerm<N>, record: Records[N]): string | undefined {
    if (term === 'id') return record.id;
    for (const [name, value] of this.#collection.terms(record)) if (name === term) return value;
    return undefined;
  }
}

function* upTo(capacity: () => number): Generator<number> {
  for (let slot = 0; slot < capacity(); slot += 1) yield slot;
}

function createIndex(): TextIndex {
  const values = new Map<number, string>();
  const compare = (a: number, b: number) => {
    const [left, right] = [values.get(a) ?? '', values.get(b) ?? ''];
    return left < right ? -1 : left > right ? 1 : a - b;
  };
  return { values, slots: new SortedRowIds(compare) };
}
