import { parseTimestamp } from '../../lib/timestamps.js';
import type { Collection } from '../collections.js';
import type { CollectionName, Records } from '../records.js';
import { HASH_LENGTH, type TermHasher } from './term-hash.js';

/** What the indexes know of a record. The journal holds it in front of the record, so that a start parses no records. */
export interface IndexKeys {
  /** Milliseconds since 1970; 0 in collections ordered by id alone. */
  created: number;
  /** Milliseconds since 1970, in the order of the collection's `ordered`; 0 where the record has no such time. */
  times: number[];
  /**
   * The hashes of the record's terms, one behind the other. Undefined for a line of storage format 1 or 2, whose hashes were
   * not all keyed: they are computed from the record when its terms are indexed.
   */
  hashes: string | undefined;
}

/** What the indexes hold: one per revision of a record. */
export interface Row extends IndexKeys {
  id: string;
  /** The revision. */
  rev: number;
}

/** Keys of records that have no index. */
export const NO_KEYS: IndexKeys = { created: 0, times: [], hashes: '' };

/** Reads the index keys from a record. */
export function indexKeys<N extends CollectionName>(
  collection: Collection<N>,
  hasher: TermHasher,
  record: Records[N],
): IndexKeys {
  const created = createdAt(collection, record);
  if (collection.retention !== undefined) return { ...NO_KEYS, created };
  const times: number[] = [];
  for (const timeOf of Object.values<(record: Records[N]) => string | undefined>(collection.ordered)) {
    times.push(milliseconds(timeOf(record)));
  }
  return { created, times, hashes: termHashes(collection, hasher, record) };
}

/** When a record was created, in milliseconds since 1970; 0 in collections ordered by id alone. */
export function createdAt<N extends CollectionName>(collection: Collection<N>, record: Records[N]): number {
  return milliseconds(collection.createdAt?.(record));
}

/** Hashes the terms of a record. */
export function termHashes<N extends CollectionName>(
  collection: Collection<N>,
  hasher: TermHasher,
  record: Records[N],
): string {
  let hashes = '';
  for (const [term, value] of collection.terms(record)) hashes += hasher(term, value);
  return hashes;
}

/** Calls a function with each of the hashes of a row. */
export function forEachHash({ hashes = '' }: IndexKeys, each: (hash: string) => void): void {
  for (let at = 0; at < hashes.length; at += HASH_LENGTH) each(hashes.slice(at, at + HASH_LENGTH));
}

/** The order of lists: newest first, then by id. */
export function compareRows(a: Pick<Row, 'id' | 'created'>, b: Pick<Row, 'id' | 'created'>): number {
  return b.created - a.created || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function milliseconds(time: string | undefined): number {
  return time === undefined ? 0 : parseTimestamp(time);
}
