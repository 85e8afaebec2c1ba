import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '../../src/contract/json.js';
import type { DataKey } from './data-key.js';
import { createCipher, deriveKeys, keyCheck, plainCipher } from './encryption.js';
import { DamagedError, unknownFormat, wrongKey } from './errors.js';
import { readJsonFile, writeJsonFile } from './files/atomic-file.js';
import { checksum } from './files/checksum.js';
import { type FileSystem, HEADER_FILE, JOURNAL_DIR } from './files/file-system.js';

/** The storage format. A change of what is on the disk needs a new number here, and an upgrade from this one. */
export const FORMAT = 5;

/** What must be known of a store before the rest of it can be read. Every segment of the journal begins with it. */
export interface StoreIdentity {
  format: number;
  id: string;
  /** Says whether a data key is the right one. Absent when not encrypted. */
  key_check?: string;
}

/** What the header knows of a segment. */
export interface ListedSegment {
  number: number;
  /** Bytes. The last segment, which changes are appended to, may be longer: this is what it had when the header was written. */
  bytes: number;
  revisions?: readonly [first: number, last: number] | undefined;
  /** When the header was first written without a change being appended any more. */
  closed_at?: string | undefined;
}

/** The content of `store.json`, which says what else must be there. The file has a checksum besides. */
export interface StoreHeader extends StoreIdentity {
  /** The highest revision in use when the header was written. */
  revision: number;
  next: number;
  /** The segments in the order of their revisions. Others do not count. */
  journal: ListedSegment[];
  /** The names of the snapshots; absent until the header is written for the second time. */
  snapshots?: readonly string[];
}

/** Reads the store header of a data directory; undefined if there is none. @throws StartError it is damaged or unknown */
export async function readHeader(files: FileSystem, dataDir: string): Promise<StoreHeader | undefined> {
  const path = join(dataDir, HEADER_FILE);
  const content = await readJsonFile<StoreHeader & { sum?: string }>(files, path);
  if (content === undefined) return undefined;
  if (!isObject(content)) throw new DamagedError(path, undefined, 'this is not a store header');
  const { sum, ...header } = content;
  const isWritten = sum === checksum(JSON.stringify(header));
  if (!isWritten && (sum !== undefined || header.format === FORMAT))
    throw new DamagedError(path, undefined, 'this file does not match its checksum');
  if (header.format === FORMAT) return header;
  throw unknownFormat(
    `${dataDir} has storage format ${header.format}, and this version of tokenctl reads format ${FORMAT}: use the version that wrote it.`,
  );
}

/** Reads the store header of a directory that may have none, unless it has segments. @throws StartError */
export async function readHeaderOfStore(files: FileSystem, dataDir: string) {
  const header = await readHeader(files, dataDir);
  const names = await files.list(join(dataDir, JOURNAL_DIR));
  // A kill before the first header may leave a temporary file.
  if (header !== undefined || !names.some((name) => name.endsWith('.jsonl'))) return header;
  throw new DamagedError(join(dataDir, HEADER_FILE), undefined, 'this file is missing');
}

export function writeHeader(files: FileSystem, dataDir: string, header: StoreHeader): Promise<void> {
  const sum = checksum(JSON.stringify(header));
  return writeJsonFile(files, join(dataDir, HEADER_FILE), { ...header, sum });
}

/** Creates the header of a new store, which is encrypted if there is a key. */
export async function newHeader(dataKey?: DataKey): Promise<StoreHeader> {
  const id = randomUUID();
  const key = dataKey && deriveKeys(await dataKey(id, true)).encryption;
  return { format: FORMAT, id, ...(key && { key_check: keyCheck(key) }), revision: 0, next: 1, journal: [] };
}

/** @throws StartError the key is wrong, missing, or given for a directory that is not encrypted */
export async function unlock({ id, key_check: check }: StoreIdentity, dataDir: string, dataKey?: DataKey) {
  if (check === undefined) {
    if (dataKey === undefined) return plainCipher;
    throw wrongKey(`${dataDir} was created without --encrypt; export its tenants and import them.`);
  }
  if (dataKey === undefined) throw wrongKey(`${dataDir} is encrypted: start with --encrypt and its key.`);
  const { encryption } = deriveKeys(await dataKey(id, false));
  if (check !== keyCheck(encryption))
    throw wrongKey(`${dataDir} was encrypted with another key than the one given.`);
  return createCipher(encryption);
}
