import { hash } from 'node:crypto';
import { parseTimestamp } from '../../lib/timestamps.js';
import { collectionOf } from '../collections.js';
import type { RecordCipher } from '../encryption.js';
import type { PutChange } from '../record-change.js';
import type { CollectionName, Records } from '../records.js';
import type { TermHasher } from './term-hash.js';
import { encodeId, encodeText, metadataKey } from './text.js';

/** Columns for the times of a record, in the order of `ordered` in collections.ts. */
export const TIME_COLUMNS = ['time_1', 'time_2', 'time_3', 'time_4'] as const;

/** A row of the table `terms`. */
interface TermRow {
  hash: string;
  text: string | null;
}

/** A row of the table `records`, and its rows of `terms`. */
export interface RecordRow {
  key: string;
  collection: CollectionName;
  tenantId: string;
  id: string;
  revision: number;
  created: number;
  times: (number | null)[];
  record: string;
  terms: TermRow[];
  /** The hashes under which the record is counted: those of its collection and of the terms that many records share. */
  counted: string[];
}

/** Terms whose records are counted as they are written, because there may be too many to count when they are listed. */
const COUNTED_TERMS: readonly string[] = [
  'type',
  'container',
  'metadata',
  'created_by',
  'modified_by',
  'month',
];

/** Whether the records with a term are counted in the table `counts`. */
export function isCounted(collection: CollectionName, term: string): boolean {
  return isIndexed(collection) && COUNTED_TERMS.includes(term);
}

/** The hash under which the records of a collection and tenant are counted. */
export function collectionHash(hasher: TermHasher, collection: CollectionName, tenantId: string): string {
  return hasher(collection, tenantId, '', '');
}

/** Characters of a key: 132 bits in base64. */
const KEY_LENGTH = 22;

/**
 * The primary key of a record: a hash of its name. Looking up one column, the server has one index to choose, however little
 * it knows of the table.
 */
export function recordKey(collection: CollectionName, tenantId: string, id: string): string {
  return hash('sha256', JSON.stringify([collection, tenantId, id]), 'base64').slice(0, KEY_LENGTH);
}

/** Whether conditions on a collection are answered from the table `terms`. */
export function isIndexed(collection: CollectionName): boolean {
  return collectionOf(collection).retention === undefined;
}

/**
 * Builds the row of a record.
 * @throws Error it cannot be serialized
 */
export function toRow(
  { collection: name, tenantId, record, revision }: PutChange,
  cipher: RecordCipher,
  hasher: TermHasher,
): RecordRow {
  const { createdAt, ordered } = collectionOf(name);
  const timeOf = Object.values<(record: Records[CollectionName]) => string | undefined>(ordered);
  const times = TIME_COLUMNS.map((_, i) => {
    const time = timeOf[i]?.(record);
    return time === undefined ? null : milliseconds(time);
  });
  return {
    key: recordKey(name, tenantId, record.id),
    collection: name,
    tenantId,
    id: encodeId(record.id),
    revision,
    created: milliseconds(createdAt?.(record)),
    times,
    record: JSON.stringify(cipher.encrypt(name, record)),
    ...termRows(name, tenantId, record, hasher),
  };
}

function termRows(
  name: CollectionName,
  tenantId: string,
  record: Records[CollectionName],
  hasher: TermHasher,
): Pick<RecordRow, 'terms' | 'counted'> {
  const pairs = [...collectionOf(name).terms(record)] as [string, string][];
  const values = new Map<string, string>();
  for (const [term, value] of pairs) {
    const key = metadataKey(term);
    if (key !== undefined) values.set(key, encodeText(value));
  }
  const terms: TermRow[] = [];
  const counted = isIndexed(name) ? [collectionHash(hasher, name, tenantId)] : [];
  for (const [term, value] of pairs) {
    const hash = hasher(name, tenantId, term, value);
    terms.push({ hash, text: (term === 'metadata' ? values.get(value) : undefined) ?? null });
    if (isCounted(name, term)) counted.push(hash);
  }
  return { terms, counted };
}

function milliseconds(time: string | undefined): number {
  return time === undefined ? 0 : parseTimestamp(time);
}
