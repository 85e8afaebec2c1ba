import { parseTimestamp } from '../../lib/timestamps.js';
import { collectionOf } from '../collections.js';
import { metadataKey } from '../condition.js';
import type { RecordCipher } from '../encryption.js';
import type { TermHasher } from '../index/term-hash.js';
import type { PutOperation } from '../operation.js';
import type { CollectionName, Records } from '../records.js';
import { encodeId, encodeText } from './text.js';

/** Columns for the times of a record, in the order of `ordered` in collections.ts. */
export const TIME_COLUMNS = ['time_1', 'time_2', 'time_3', 'time_4'] as const;

/** A row of the table `terms`. */
export interface TermRow {
  hash: string;
  text: string | null;
}

/** A row of the table `records`, and its rows of `terms`. */
export interface RecordRow {
  collection: CollectionName;
  tenantId: string;
  id: string;
  revision: number;
  created: number;
  times: (number | null)[];
  record: string;
  terms: TermRow[];
}

/** Hashes a term of one collection and tenant. */
export type ScopedHasher = (
  collection: CollectionName,
  tenantId: string,
  term: string,
  value: string,
) => string;

/** Makes the hashes of one tenant and collection differ from those of all others. */
export function scopeHasher(hasher: TermHasher): ScopedHasher {
  return (collection, tenantId, term, value) => hasher(`${collection} ${tenantId} ${term}`, value);
}

/** Whether conditions on a collection are answered from the table `terms`. */
export function isIndexed(collection: CollectionName): boolean {
  return collectionOf(collection).keepLast === undefined;
}

/**
 * Builds the row of a record.
 * @throws Error it cannot be serialized
 */
export function toRow(
  { collection: name, tenantId, record, revision }: PutOperation,
  cipher: RecordCipher,
  hasher: ScopedHasher,
): RecordRow {
  const { createdAt, ordered } = collectionOf(name);
  const timeOf = Object.values<(record: Records[CollectionName]) => string | undefined>(ordered);
  const times = TIME_COLUMNS.map((_, i) => milliseconds(timeOf[i]?.(record)) || null);
  return {
    collection: name,
    tenantId,
    id: encodeId(record.id),
    revision,
    created: milliseconds(createdAt?.(record)),
    times,
    record: JSON.stringify(cipher.encrypt(name, record)),
    terms: termRows(name, tenantId, record, hasher),
  };
}

function termRows(
  name: CollectionName,
  tenantId: string,
  record: Records[CollectionName],
  hasher: ScopedHasher,
): TermRow[] {
  const terms = [...collectionOf(name).terms(record)] as [string, string][];
  const values = new Map<string, string>();
  for (const [term, value] of terms) {
    const key = metadataKey(term);
    if (key !== undefined) values.set(key, encodeText(value));
  }
  return terms.map(([term, value]) => ({
    hash: hasher(name, tenantId, term, value),
    text: (term === 'metadata' ? values.get(value) : undefined) ?? null,
  }));
}

function milliseconds(time: string | undefined): number {
  return time === undefined ? 0 : parseTimestamp(time);
}
