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
  /** Hashes of the record's terms, or their text in the journal until the terms are indexed. */
  hashes: number[] | string;
}

/** What the indexes hold: one per revision of a record. */
export interface Row extends IndexKeys {
  id: string;
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
  const times: number[] = [];
  for (const timeOf of Object.values<(record: Records[N]) => string | undefined>(collection.ordered)) {
    times.push(milliseconds(timeOf(record)));
  }
  return { created: milliseconds(collection.createdAt?.(record)), times, hashes };
}

function milliseconds(time: string | undefined): number {
  return time === undefined ? 0 : parseTimestamp(time);
}

/** Returns the hashes of a row's terms. */
export function hashesOf(row: Row): number[] {
  if (typeof row.hashes === 'string') row.hashes = JSON.parse(`[${row.hashes}]`) as number[];
  return row.hashes;
}
