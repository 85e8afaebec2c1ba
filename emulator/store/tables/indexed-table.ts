import type { Collection } from '../collections.js';
import { type Condition, metadataKey } from '../condition.js';
import { RecordIndex } from '../index/record-index.js';
import { createRow, type RecordOf, type Row } from '../index/row.js';
import { intersect, type RowSet, subtract, unite } from '../index/row-set.js';
import type { LineLocation } from '../line-location.js';
import { indexedValue, matches } from '../matches.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';
import { forEachYielding } from '../yielding.js';
import type { DeadLines, Table } from './table.js';

/** A table whose conditions are answered from indexes. */
export class IndexedTable<N extends CollectionName> implements Table<N> {
  readonly #collection: Collection<N>;
  readonly #index: RecordIndex<Row<RecordOf<N>>>;
  /** The rows that were found for conditions with a prefix, until the query reads them. */
  readonly #found = new WeakMap<Condition<N>, Row<RecordOf<N>>[]>();
  readonly #dead: DeadLines | undefined;

  /** @param dead absent without a journal */
  constructor(collection: Collection<N>, dead: DeadLines | undefined) {
    this.#collection = collection;
    this.#index = new RecordIndex(Object.keys(collection.ordered).length, ({ record }) =>
      collection.terms(record),
    );
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
      this.#index.replace(previous, row);
      this.#erase(previous);
    }
  }

  remove(id: string): void {
    const row = this.#index.get(id);
    if (row === undefined) return;
    this.#index.remove(row);
    this.#erase(row);
  }

  drop(): void {
    this.#dead?.scheduleEraseAll(this.#index.unordered);
  }

  prepare(where: Condition<N> | undefined): Promise<void> | undefined {
    const parts = where === undefined ? [] : partsOf(where);
    const terms = parts.some((part) => 'term' in part) ? this.#index.terms.prepare() : undefined;
    if (terms !== undefined) return terms;
    const texts = parts.filter((part): part is Prefix<N> => 'prefix' in part && !this.#found.has(part));
    return texts.length === 0
      ? undefined
      : Promise.all(texts.map((part) => this.#find(part))).then(() => undefined);
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

  /** Returns the rows that meet a condition. */
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
    if ('prefix' in where) return this.#withPrefix(where);
    return index.terms.get(where.term, indexedValue(where.term, where.is));
  }

  /** Looks at the value of each row, in slices: few programs use wildcards. */
  async #find(where: Prefix<N>): Promise<void> {
    const found: Row<RecordOf<N>>[] = [];
    await forEachYielding([...this.#rowsWith(where)], (row) => {
      if (matches(this.#collection, row.record, where)) found.push(row);
    });
    this.#found.set(where, found);
  }

  /** Returns the rows that were found, as they are now. */
  #withPrefix(where: Prefix<N>): RowSet<Row<RecordOf<N>>> {
    const found = this.#found.get(where) ?? this.#rowsWith(where);
    this.#found.delete(where);
    const rows = new Set<Row<RecordOf<N>>>();
    for (const { record } of found) {
      const row = this.#index.get(record.id);
      if (row && matches(this.#collection, row.record, where)) rows.add(row);
    }
    return rows;
  }

  /** The rows that may have the value. */
  #rowsWith({ term }: Prefix<N>): Iterable<Row<RecordOf<N>>> {
    const key = metadataKey(term);
    return key === undefined ? this.#index.rows : this.#index.terms.get('metadata', key);
  }
}

type Prefix<N extends CollectionName> = Extract<Condition<N>, { prefix: string }>;

/** The conditions that a condition consists of. */
function partsOf<N extends CollectionName>(where: Condition<N>): Condition<N>[] {
  if ('all' in where) return where.all.flatMap(partsOf);
  if ('any' in where) return where.any.flatMap(partsOf);
  return 'not' in where ? partsOf(where.not) : [where];
}
