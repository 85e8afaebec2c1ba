import type { Collection } from '../collections.js';
import type { Bounds, Condition } from '../condition.js';
import { indexedValue } from '../matches.js';
import type { CollectionName } from '../records.js';
import { orderedTerms } from './index-keys.js';
import type { RecordIndex } from './record-index.js';
import { collect, contains, FEW, intersect, type RowIdSet, rowIdsOf, sizeOf, unite } from './row-id-set.js';
import type { TermHasher } from './term-hash.js';
import type { TextIndexes } from './text-index.js';

export interface Indexed<N extends CollectionName> {
  collection: Collection<N>;
  index: RecordIndex;
  hasher: TermHasher;
  texts: TextIndexes<N>;
}

/** The slots that meet a condition; the text indexes of its prefixes must be ready. */
export function select<N extends CollectionName>(table: Indexed<N>, condition: Condition<N>): RowIdSet {
  const { index, hasher } = table;
  const selectAll = (parts: Condition<N>[]) => parts.map((part) => select(table, part));
  if ('all' in condition) {
    return condition.all.length === 0
      ? everything(index)
      : intersect(selectAll(condition.all), index.capacity);
  }
  if ('any' in condition) return unite(selectAll(condition.any), index.capacity);
  if ('not' in condition) return { kind: 'except', set: select(table, condition.not), all: index.all };
  if ('ids' in condition) return few(condition.ids.map((id) => index.slotOf(id)));
  if ('range' in condition) {
    const { from, until } = edges(condition);
    const term = orderedTerms(table.collection).indexOf(condition.range);
    return collect(index.between(term, from, until), index.capacity);
  }
  if ('prefix' in condition) {
    return collect(table.texts.withPrefix(condition.term, condition.prefix), index.capacity);
  }
  const found = index.terms.get(hasher(condition.term, indexedValue(condition.term, condition.is)));
  return typeof found === 'object' ? { kind: 'list', list: found } : few([found]);
}

/** A page of a set, in the order of lists. */
export function page(index: RecordIndex, set: RowIdSet, offset: number, limit: number): number[] {
  if (limit === 0) return [];
  if (set.kind === 'list') return set.list.fromEnd(offset, limit);
  const size = sizeOf(set);
  if (size <= FEW || size < index.size / 16) {
    return [...rowIdsOf(set)].sort((a, b) => index.compare(a, b)).slice(offset, offset + limit);
  }
  return index.all.fromEndWhere((slot) => contains(set, slot), offset, limit);
}

export function everything(index: RecordIndex): RowIdSet {
  return { kind: 'list', list: index.all };
}

function few(slots: (number | undefined)[]): RowIdSet {
  return { kind: 'few', slots: new Set(slots.filter((slot) => slot !== undefined)) };
}

function edges({ gt, gte, lt, lte }: Bounds) {
  return {
    from: (time: number) => (gt === undefined || time > gt) && (gte === undefined || time >= gte),
    until: (time: number) => (lt !== undefined && time >= lt) || (lte !== undefined && time > lte),
  };
}
