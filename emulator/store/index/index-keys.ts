import { parseTimestamp } from '../../lib/timestamps.js';
import type { Collection } from '../collections.js';
import type { CollectionName, Records } from '../records.js';
import type { TermHasher } from './term-hash.js';

/** What the indexes know of a record. The journal holds it in front of the record, so that a start parses no records. */
export interface IndexKeys {
  /** Milliseconds since 1970; 0 in collections ordered by id alone. */
  created: number;
  /** Milliseconds since 1970, in the order of the collection's `ordered`; 0 where the record has no such time. */
  times: number[];
  /** Hashes of the record's terms. */
  hashes: number[];
}

/** What the indexes hold: one per record, the same object as long as the record exists. */
export interface Row {
  readonly id: string;
  keys: IndexKeys;
}

/** Keys of collections without indexes. */
export const NO_KEYS: IndexKeys = { created: 0, times: [], hashes: [] };

/** Reads the index keys from a record. */
export function indexKeys<N extends CollectionName>(
  collection: Collection<N>,
  hasher: TermHasher,
  record: Records[N],
): IndexKeys {
  if (collection.keepLast !== undefined) return NO_KEYS;
  const hashes: number[] = [];
  for (const [term, value] of collection.terms(record)) hashes.push(hasher(term, value));
  const timesOf = Object.values<(record: Records[N]) => string | undefined>(collection.ordered);
  const times = timesOf.map((timeOf) => milliseconds(timeOf(record)));
  return { created: milliseconds(collection.createdAt?.(record)), times, hashes };
}

function milliseconds(time: string | undefined): number {
  return time === undefined ? 0 : parseTimestamp(time);
}
