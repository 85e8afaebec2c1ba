import { hash } from 'node:crypto';
import { collectionOf } from '../collections.js';
import type { RecordCipher } from '../encryption.js';
import type { PutChange } from '../record-change.js';
import type { CollectionName, Records } from '../records.js';
import { encodeText, type TermHasher } from './terms.js';

/** Columns for the times of a record, in the order of `ordered` in collections.ts. */
export const TIME_COLUMNS = ['time_1', 'time_2', 'time_3', 'time_4'] as const;

interface TermRow {
  hash: string;
  created: number;
  id: string;
  /** The value of a metadata key. */
  text?: string | undefined;
}

/** A row of the table `records`. */
interface RecordColumns {
  [time: `time_${number}`]: number;
  key: string;
  collection: CollectionName;
  tenant_id: string;
  id: string;
  revision: number;
  created: number;
  /** All hashes, those of `counted` first. */
  hashes: string;
  counted: number;
  record: string;
}

export interface RecordRow {
  columns: RecordColumns;
  terms: TermRow[];
  /** The hashes under which the record is counted: those of its collection and of the terms that many records share. */
  counted: string[];
}

/** Terms whose records are counted as they are written, because there may be too many to count when they are listed. */
const COUNTED_TERMS = new Set(['type', 'container', 'metadata', 'created_by', 'modified_by', 'month']);

export function isCounted(collection: CollectionName, term: string): boolean {
  return isIndexed(collection) && COUNTED_TERMS.has(term);
}

export function collectionHash(hasher: TermHasher, collection: CollectionName, tenantId: string): string {
  return hasher(collection, tenantId, '', '');
}

/** Characters of a key: 132 bits in base64. */
const KEY_LENGTH = 22;

/** The primary key of a record: a hash of its name. With one column, the server has one index to choose. */
export function recordKey(collection: CollectionName, tenantId: string, id: string): string {
  return hash('sha256', JSON.stringify([collection, tenantId, id]), 'base64').slice(0, KEY_LENGTH);
}

/** Whether conditions on a collection are answered from the table `terms`. */
export function isIndexed(collection: CollectionName): boolean {
  return collectionOf(collection).retention === undefined;
}

/** Builds the row of a record. @throws Error it cannot be serialized */
export function toRow(
  { collection, tenantId, record, revision }: PutChange,
  cipher: RecordCipher,
  hasher: TermHasher,
): RecordRow {
  const { createdAt, ordered, terms: termsOf } = collectionOf(collection);
  const created = milliseconds(createdAt?.(record)) ?? 0;
  const id = encodeText(record.id);
  const pairs = [...termsOf(record)] as [string, string][];
  const values = new Map(pairs);
  const counted = isIndexed(collection) ? [collectionHash(hasher, collection, tenantId)] : [];
  const terms: TermRow[] = [];
  const others: string[] = [];
  for (const [term, value] of pairs) {
    const hash = hasher(collection, tenantId, term, value);
    const text = term === 'metadata' ? values.get(`metadata.${value}`) : undefined;
    terms.push({ hash, created, id, text: text && encodeText(text) });
    (isCounted(collection, term) ? counted : others).push(hash);
  }
  const columns: RecordColumns = {
    key: recordKey(collection, tenantId, record.id),
    collection,
    tenant_id: tenantId,
    id,
    revision,
    created,
    hashes: [...counted, ...others].join(''),
    counted: counted.length,
    record: JSON.stringify(cipher.encrypt(collection, record)),
  };
  Object.values<(record: Records[CollectionName]) => string | undefined>(ordered).forEach((timeOf, i) => {
    const [column, time] = [TIME_COLUMNS[i], milliseconds(timeOf(record))];
    if (column && time !== undefined) columns[column] = time;
  });
  return { columns, terms: isIndexed(collection) ? terms : [], counted };
}

const milliseconds = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : Date.parse(time);
