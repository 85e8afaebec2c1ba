import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DataKey } from './data-key.js';
import { createCipher, deriveKeys, keyCheck, plainCipher, type RecordCipher } from './encryption.js';
import { DamagedError, FormatError, WrongKeyError } from './errors.js';
import { readJsonFile, writeJsonFile } from './files/atomic-file.js';
import type { FileSystem } from './files/file-system.js';
import { HEADER_FILE } from './files/layout.js';

/** The storage format. A change of what is on the disk needs a new number here, and an upgrade from this one. */
export const FORMAT = 4;

/** The content of `store.json`: what must be known of a data directory before the rest of it can be read. */
export interface StoreHeader {
  format: number;
  id: string;
  /** Says whether a data key is the right one. Absent when not encrypted. */
  key_check?: string;
}

interface OpenedHeader {
  header: StoreHeader;
  cipher: RecordCipher;
}

/**
 * Reads the store header of a data directory, or creates one for a new directory.
 *
 * @throws DamagedError it cannot be read, or is missing
 * @throws FormatError another version wrote it
 * @throws WrongKeyError the key is wrong, missing, or given for a directory that is not encrypted
 */
export async function openHeader(
  files: FileSystem,
  dataDir: string,
  isNew: boolean,
  dataKey?: DataKey,
): Promise<OpenedHeader> {
  const path = join(dataDir, HEADER_FILE);
  let header = await readJsonFile<StoreHeader>(files, path);
  if (header === undefined) {
    if (!isNew) throw new DamagedError(path, 1, 'this file is missing');
    header = await createHeader(dataKey);
    await writeJsonFile(files, path, header);
  }
  assertReadable(header, dataDir);
  return { header, cipher: await unlock(header, dataDir, dataKey) };
}

/** Whether a directory is a data directory with a store. */
export async function isInitialized(files: FileSystem, dataDir: string): Promise<boolean> {
  return (await readJsonFile<StoreHeader>(files, join(dataDir, HEADER_FILE))) !== undefined;
}

/** Whether a data directory needs a key. */
export async function isEncrypted(files: FileSystem, dataDir: string): Promise<boolean> {
  const header = await readJsonFile<StoreHeader>(files, join(dataDir, HEADER_FILE));
  return header?.key_check !== undefined;
}

function assertReadable({ format }: StoreHeader, dataDir: string): void {
  if (format === FORMAT) return;
  throw new FormatError(
    `${dataDir} has storage format ${format}, and this version of tokenctl reads format ${FORMAT}: use the version that wrote it.`,
  );
}

async function createHeader(dataKey?: DataKey): Promise<StoreHeader> {
  const id = randomUUID();
  const header: StoreHeader = { format: FORMAT, id };
  if (dataKey !== undefined) header.key_check = keyCheck(deriveKeys(await dataKey(id, true)).encryption);
  return header;
}

async function unlock(
  { id, key_check: check }: StoreHeader,
  dataDir: string,
  dataKey?: DataKey,
): Promise<RecordCipher> {
  if (check === undefined) {
    if (dataKey !== undefined) {
      throw new WrongKeyError(
        `${dataDir} was created without --encrypt; export its tenants and import them.`,
      );
    }
    return plainCipher;
  }
  if (dataKey === undefined)
    throw new WrongKeyError(`${dataDir} is encrypted: start with --encrypt and its key.`);
  const { encryption } = deriveKeys(await dataKey(id, false));
  if (check !== keyCheck(encryption)) {
    throw new WrongKeyError(`${dataDir} was encrypted with another key than the one given.`);
  }
  return createCipher(encryption);
}
