import type { Collection } from '../collections.js';
import type { Condition } from '../condition.js';
import { indexedValue } from '../matches.js';
import type { CollectionName } from '../records.js';
import type { Row } from './index-keys.js';
import type { RecordIndex } from './record-index.js';
import { intersect, type RowSet, subtract, unite } from './row-set.js';
import type { TermHasher } from './term-hash.js';
import type { TextIndexes } from './text-index.js';

/** A collection's indexes. */
export interface Indexed<N extends CollectionName, T extends Row> {
  collection: Collection<N>;
  index: RecordIndex<T>;
  hasher: TermHasher;
  texts: TextIndexes<N, T>;
}

/** Returns the rows that meet a condition. The text indexes of its prefixes must have been built. */
export function select<N extends CollectionName, T extends Row>(
  table: Indexed<N, T>,
  condition: Condition<N>,
): RowSet<T> {
  const { collection, index, hasher } = table;
  const selectWithin = (part: Condition<N>): RowSet<T> => {
    if ('all' in part) return intersect(part.all.map(selectWithin), index.everything);
    if ('any' in part) return unite(part.any.map(selectWithin), index.everything);
    if ('not' in part) return subtract(index.everything, selectWithin(part.not));
    if ('ids' in part) return new Set(part.ids.flatMap((id) => index.get(id) ?? []));
    if ('range' in part) return index.between(Object.keys(collection.ordered).indexOf(part.range), part);
    if ('prefix' in part) return table.texts.withPrefix(part.term, part.prefix);
    return index.terms.get(hasher(part.term, indexedValue(part.term, part.is)));
  };
  return selectWithin(condition);
}
