import type { Collection } from '../collections.js';
import { type Condition, metadataKey, type TextTerm } from '../condition.js';
import { type IndexKeys, type Row, termHashes } from '../index/index-keys.js';
import { RecordIndex } from '../index/record-index.js';
import { intersect, type RowSet, subtract, unite } from '../index/row-set.js';
import type { TermHasher } from '../index/term-hash.js';
import { TextIndexes } from '../index/text-index.js';
import { indexedValue, matches } from '../matches.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';
import { captureRecords, type RecordLines, type Table } from './table.js';

/** A revision of a record: where its line is or, without a journal, the record itself. A line of the journal is one. */
export interface StoredRow<R> extends Row, RecordLocation {
  record?: Stored<R> | undefined;
}

/** A table whose conditions are answered from indexes. */
export class IndexedTable<N extends CollectionName> implements Table<N> {
  readonly #collection: Collection<N>;
  readonly #hasher: TermHasher;
  readonly #index: RecordIndex<StoredRow<Records[N]>>;
  readonly texts: TextIndexes<N, StoredRow<Records[N]>>;
  readonly #lines: RecordLines<Records[N]> | undefined;

  /** Without `lines`, records are kept in memory. */
  constructor(collection: Collection<N>, hasher: TermHasher, lines?: RecordLines<Records[N]>) {
    this.#collection = collection;
    this.#hasher = hasher;
    this.#index = new RecordIndex(Object.keys(collection.ordered).length, collection.createdAt === undefined);
    this.texts = new TextIndexes(collection);
    this.#lines = lines;
  }

  get size(): number {
    return this.#index.size;
  }

  /** Takes the rows that a start found in the journal. */
  load(rows: Map<string, StoredRow<Records[N]>>): void {
    this.#index.load(rows, (row) => termHashes(this.#collection, this.#hasher, this.#read(row)));
  }

  get(id: string): Stored<Records[N]> | undefined {
    const row = this.#index.get(id);
    return row && this.#read(row);
  }

  revisionOf(id: string): number | undefined {
    return this.#index.get(id)?.rev;
  }

  put(record: Stored<Records[N]>, keys: IndexKeys, { segment, offset, length }: RecordLocation): void {
    const { id, revision: rev } = record;
    const kept = this.#lines === undefined ? record : undefined;
    const { created, times, hashes } = keys;
    const row = { id, rev, created, times, hashes, segment, offset, length, record: kept };
    const previous = this.#index.get(id);
    if (previous === undefined) this.#index.add(row);
    else {
      this.texts.remove(previous);
      this.#index.replace(previous, row);
      this.#lines?.scheduleErase(previous);
    }
    this.texts.add(row, record);
  }

  remove(id: string): void {
    const row = this.#index.get(id);
    if (row === undefined) return;
    this.texts.remove(row);
    this.#index.remove(row);
    this.#lines?.scheduleErase(row);
  }

  drop(): void {
    this.#lines?.scheduleEraseAll(this.#index.unordered);
  }

  prepare(where: Condition<N> | undefined): Promise<void> | undefined {
    const parts = termsOf(where);
    if (parts.length === 0) return undefined;
    const terms = this.#index.terms.prepare();
    if (terms !== undefined) return terms;
    const texts = parts.flatMap((part) => ('is' in part ? [] : (this.#prepareText(part.term) ?? [])));
    return texts.length === 0 ? undefined : Promise.all(texts).then(() => undefined);
  }

  page(
    where: Condition<N> | undefined,
    offset: number,
    limit: number,
    maxBytes = Number.POSITIVE_INFINITY,
  ): Found<Records[N]> {
    const set = where === undefined ? this.#index.everything : this.#select(where);
    const records: Stored<Records[N]>[] = [];
    const rows = this.#index.page(set, offset, limit);
    this.texts.trim();
    let bytes = 0;
    for (const [index, row] of rows.entries()) {
      if (bytes >= maxBytes) return { records, total: set.size, nextOffset: offset + index };
      bytes += row.length;
      const record = this.#read(row);
      // Terms are found by their hash, which another term may share.
      if (where === undefined || matches(this.#collection, record, where)) records.push(record);
    }
    return { records, total: set.size };
  }

  capture(): Iterable<Stored<Records[N]>> {
    return captureRecords(this.#index.rows, this.#lines);
  }

  locationOf(id: string, revision: number): RecordLocation | undefined {
    const row = this.#index.get(id);
    return row?.rev === revision ? row : undefined;
  }

  /** Returns the rows that meet a condition. The text indexes of its prefixes must have been built. */
  #select(where: Condition<N>): RowSet<StoredRow<Records[N]>> {
    const index = this.#index;
    const selectAll = (parts: Condition<N>[]) => parts.map((part) => this.#select(part));
    if ('all' in where) return intersect(selectAll(where.all), index.everything);
    if ('any' in where) return unite(selectAll(where.any), index.everything);
    if ('not' in where) return subtract(index.everything, this.#select(where.not));
    if ('ids' in where) return new Set(where.ids.flatMap((id) => index.get(id) ?? []));
    if ('range' in where) {
      return index.between(Object.keys(this.#collection.ordered).indexOf(where.range), where);
    }
    if ('prefix' in where) return this.texts.withPrefix(where.term, where.prefix);
    return index.terms.get(this.#hasher(where.term, indexedValue(where.term, where.is)));
  }

  /** Returns a promise to await before rows are selected by a prefix, while its text index is being built. */
  #prepareText(term: TextTerm<N>): Promise<void> | undefined {
    const isPresent = (row: Row) => this.#index.get(row.id) === row;
    return this.texts.prepare(
      term,
      () => this.#rowsWith(term),
      (row) => (isPresent(row) ? this.#read(row) : undefined),
    );
  }

  /** The rows that may have a value of a term. */
  #rowsWith(term: TextTerm<N>): Iterable<StoredRow<Records[N]>> {
    const key = metadataKey(term);
    return key === undefined ? this.#index.rows : this.#index.terms.get(this.#hasher('metadata', key));
  }

  #read(row: StoredRow<Records[N]>): Stored<Records[N]> {
    return row.record ?? (this.#lines?.readCached(row) as Stored<Records[N]>);
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
