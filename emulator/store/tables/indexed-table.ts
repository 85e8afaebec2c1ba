import type { Collection } from '../collections.js';
import { type Condition, metadataKey, type TextTerm } from '../condition.js';
import { RecordIndex } from '../index/record-index.js';
import { createRow, type RecordOf, type Row } from '../index/row.js';
import { intersect, type RowSet, subtract, unite } from '../index/row-set.js';
import { TextIndexes } from '../index/text-index.js';
import type { LineLocation } from '../line-location.js';
import { indexedValue } from '../matches.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';
import type { DeadLines, Table } from './table.js';

/** A table whose conditions are answered from indexes. */
export class IndexedTable<N extends CollectionName> implements Table<N> {
  readonly #collection: Collection<N>;
  readonly #index: RecordIndex<Row<RecordOf<N>>>;
  readonly texts: TextIndexes<N, Row<RecordOf<N>>>;
  readonly #dead: DeadLines | undefined;

  /** @param dead absent without a journal */
  constructor(collection: Collection<N>, dead: DeadLines | undefined) {
    this.#collection = collection;
    this.#index = new RecordIndex(
      Object.keys(collection.ordered).length,
      collection.createdAt === undefined,
      ({ record }) => collection.terms(record),
    );
    this.texts = new TextIndexes(collection);
    this.#dead = dead;
  }

  get size(): number {
    return this.#index.size;
  }

  get(id: string): Stored<Records[N]> | undefined {
    return this.#index.get(id)?.record;
  }

  put(record: Stored<Records[N]>, line: LineLocation | undefined): void {
    const row = createRow(this.#collection, record, line);
    const previous = this.#index.get(record.id);
    if (previous === undefined) this.#index.add(row);
    else {
      this.texts.remove(previous);
      this.#index.replace(previous, row);
      this.#erase(previous);
    }
    this.texts.add(row, record);
  }

  remove(id: string): void {
    const row = this.#index.get(id);
    if (row === undefined) return;
    this.texts.remove(row);
    this.#index.remove(row);
    this.#erase(row);
  }

  drop(): void {
    this.#dead?.scheduleEraseAll(this.#index.unordered);
  }

  prepare(where: Condition<N> | undefined): Promise<void> | undefined {
    if (where === undefined) return undefined;
    const terms = this.#index.terms.prepare();
    if (terms !== undefined) return terms;
    const texts = prefixTermsOf(where).flatMap((term) => this.#prepareText(term) ?? []);
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
    for (const [index, { record, line }] of rows.entries()) {
      if (bytes >= maxBytes) return { records, total: set.size, nextOffset: offset + index };
      bytes += line?.length ?? 0;
      records.push(record);
    }
    return { records, total: set.size };
  }

  records(): Stored<Records[N]>[] {
    return this.#index.rows.map(({ record }) => record);
  }

  lineOf(id: string, revision: number): LineLocation | undefined {
    const row = this.#index.get(id);
    return row?.record.revision === revision ? row.line : undefined;
  }

  #erase({ line }: Row<RecordOf<N>>): void {
    if (line !== undefined) this.#dead?.scheduleErase(line);
  }

  /** Returns the rows that meet a condition. The text indexes of its prefixes must have been built. */
  #select(where: Condition<N>): RowSet<Row<RecordOf<N>>> {
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
    return index.terms.get(where.term, indexedValue(where.term, where.is));
  }

  /** Returns a promise to await before rows are selected by a prefix, while its text index is being built. */
  #prepareText(term: TextTerm<N>): Promise<void> | undefined {
    return this.texts.prepare(
      term,
      () => this.#rowsWith(term),
      (row) => this.#index.get(row.record.id) === row,
    );
  }

  /** The rows that may have a value of a term. */
  #rowsWith(term: TextTerm<N>): Iterable<Row<RecordOf<N>>> {
    const key = metadataKey(term);
    return key === undefined ? this.#index.rows : this.#index.terms.get('metadata', key);
  }
}

/** The terms of which a condition asks for a prefix. */
function prefixTermsOf<N extends CollectionName>(where: Condition<N>): TextTerm<N>[] {
  if ('all' in where) return where.all.flatMap(prefixTermsOf);
  if ('any' in where) return where.any.flatMap(prefixTermsOf);
  if ('not' in where) return prefixTermsOf(where.not);
  return 'prefix' in where ? [where.term] : [];
}
