import type { Collection } from '../collections.js';
import type { Condition } from '../condition.js';
import { type IndexKeys, indexKeys, orderedTerms } from '../index/index-keys.js';
import { RecordIndex } from '../index/record-index.js';
import { sizeOf } from '../index/row-id-set.js';
import { everything, page, select } from '../index/select.js';
import type { TermHasher } from '../index/term-hash.js';
import { TextIndexes } from '../index/text-index.js';
import { matches } from '../matches.js';
import type { IndexedLocation } from '../record-location.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';
import type { RecordStorage } from './record-storage.js';
import type { Captured, Table } from './table.js';

/** A table whose conditions are answered by indexes: it costs the same however many records it holds. */
export class IndexedTable<N extends CollectionName> implements Table<N> {
  readonly collection: Collection<N>;
  readonly index: RecordIndex;
  readonly hasher: TermHasher;
  readonly texts: TextIndexes<N>;
  readonly #shelf: RecordStorage<Records[N]>;

  constructor(collection: Collection<N>, hasher: TermHasher, shelf: RecordStorage<Records[N]>) {
    this.collection = collection;
    this.hasher = hasher;
    this.index = new RecordIndex(orderedTerms(collection).length);
    this.texts = new TextIndexes(collection);
    this.#shelf = shelf;
  }

  get size(): number {
    return this.index.size;
  }

  get(id: string): Stored<Records[N]> | undefined {
    const slot = this.index.slotOf(id);
    return slot === undefined ? undefined : this.#shelf.get(slot);
  }

  has(id: string): boolean {
    return this.index.slotOf(id) !== undefined;
  }

  put(record: Stored<Records[N]>, place?: IndexedLocation, was?: Stored<Records[N]>): void {
    const keys = place?.keys ?? indexKeys(this.collection, this.hasher, record);
    const slot = was === undefined ? this.index.add(record.id, keys) : this.#replace(was, keys);
    this.#shelf.put(slot, record, place);
    this.texts.add(slot, record);
  }

  remove(id: string, was?: Stored<Records[N]>): void {
    const slot = this.index.slotOf(id);
    const record = slot === undefined ? undefined : (was ?? this.#shelf.get(slot));
    if (slot === undefined || record === undefined) return;
    this.texts.remove(slot);
    this.index.remove(slot, indexKeys(this.collection, this.hasher, record));
    this.#shelf.drop(slot);
  }

  prepare(where: Condition<N> | undefined): Promise<void> | undefined {
    const waiting = termsOf(where)
      .map((part) =>
        'is' in part
          ? this.index.terms.prepare()
          : this.texts.prepare(
              part.term,
              () => this.index.capacity,
              (slot) => this.#shelf.get(slot),
            ),
      )
      .filter((ready) => ready !== undefined);
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
  }

  page(where: Condition<N> | undefined, offset: number, limit: number): Found<Records[N]> {
    const set = where === undefined ? everything(this.index) : select(this, where);
    const records: Stored<Records[N]>[] = [];
    for (const slot of page(this.index, set, offset, limit)) {
      const record = this.#shelf.get(slot);
      // Terms are found by hash: a record that only shares a hash does not leave.
      if (record !== undefined && (where === undefined || matches(this.collection, record, where))) {
        records.push(record);
      }
    }
    return { records, total: sizeOf(set) };
  }

  capture(): Captured<Records[N]> {
    return this.#shelf.capture([...this.index.all]);
  }

  clear(): void {
    for (const slot of this.index.all) this.#shelf.drop(slot);
  }

  #replace(was: Stored<Records[N]>, keys: IndexKeys): number {
    const slot = this.index.slotOf(was.id) as number;
    this.texts.remove(slot);
    this.index.update(slot, indexKeys(this.collection, this.hasher, was), keys);
    return slot;
  }
}

type TermPart<N extends CollectionName> = Extract<Condition<N>, { term: unknown }>;

/** The parts of a condition that ask for a term. */
function termsOf<N extends CollectionName>(where: Condition<N> | undefined): TermPart<N>[] {
  if (where === undefined) return [];
  if ('all' in where) return where.all.flatMap(termsOf);
  if ('any' in where) return where.any.flatMap(termsOf);
  if ('not' in where) return termsOf(where.not);
  return 'term' in where ? [where] : [];
}
