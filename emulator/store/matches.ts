import type { Collection } from './collections.js';
import type { Bounds, Condition, OrderedTerms } from './condition.js';
import type { CollectionName, Records } from './records.js';

/** Returns a condition's value as it is indexed: metadata values are compared without case. */
export function indexedValue(term: string, value: string): string {
  return term.startsWith('metadata.') ? value.toLowerCase() : value;
}

/** Whether a time is within bounds; all in milliseconds since 1970. */
export function isWithin(value: number, { gt, gte, lt, lte }: Bounds): boolean {
  return (
    (gt === undefined || value > gt) &&
    (gte === undefined || value >= gte) &&
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte)
  );
}

/** Whether a record meets a condition, found by looking at the record instead of the indexes. */
export function matches<N extends CollectionName>(
  collection: Collection<N>,
  record: Records[N],
  condition: Condition<N>,
): boolean {
  const terms = () => [...collection.terms(record)];
  if ('all' in condition) return condition.all.every((part) => matches(collection, record, part));
  if ('any' in condition) return condition.any.some((part) => matches(collection, record, part));
  if ('not' in condition) return !matches(collection, record, condition.not);
  if ('ids' in condition) return condition.ids.includes(record.id);
  if ('range' in condition) {
    const time = timeOf(collection, record, condition.range);
    return time !== undefined && isWithin(Date.parse(time), condition);
  }
  if ('is' in condition) {
    const value = indexedValue(condition.term, condition.is);
    return terms().some(([term, found]) => term === condition.term && found === value);
  }
  if (condition.term === 'id') return record.id.startsWith(condition.prefix);
  const prefix = indexedValue(condition.term, condition.prefix);
  return terms().some(([term, found]) => term === condition.term && found.startsWith(prefix));
}

function timeOf<N extends CollectionName>(
  collection: Collection<N>,
  record: Records[N],
  term: OrderedTerms[N],
): string | undefined {
  if (term === 'created_at') return collection.createdAt?.(record);
  return collection.ordered[term as Exclude<OrderedTerms[N], 'created_at'>](record);
}
