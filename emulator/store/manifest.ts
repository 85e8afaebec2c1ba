import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { StartError } from '../lib/start-error.js';
import { createCipher, deriveKeys, keyCheck, plainCipher, type RecordCipher } from './encryption.js';
import { DamagedError } from './errors.js';
import { readJsonFile, writeJsonFile } from './files/atomic-file.js';
import type { FileSystem } from './files/file-system.js';
import { MANIFEST_FILE } from './files/layout.js';

/**
 * The format this version writes. A change of what is on the disk needs a new number here. Earlier formats are read as they
 * are: format 1 did not bind encrypted values to their record, until compaction has rewritten them and calls `refuseUnbound`;
 * up to format 2 not all hashes of index terms were keyed, and a line says by itself which ones it has.
 */
export const FORMAT = 3;
const FIRST_FORMAT = 1;

/** What must be known of a data directory before the rest of it can be read. */
export interface Manifest {
  format: number;
  id: string;
  /** Base64; the key for the hashes of index terms. Absent when encrypted: it is derived from the data key then. */
  hash_key?: string;
  /** Says whether a data key is the right one. Absent when not encrypted. */
  key_check?: string;
}

/** Returns the data key of the store with this id. A key may be created for a new store only. */
export type DataKey = (storeId: string, isNew: boolean) => Promise<Uint8Array>;

/** The data directory has a format that this version of the emulator does not know. */
export class FormatError extends StartError {
  override name = 'FormatError';

  constructor(message: string) {
    super('unsupported_format', message);
  }
}

/** The data directory is encrypted and the data key is missing or not the right one, or it is not encrypted at all. */
export class WrongKeyError extends StartError {
  override name = 'WrongKeyError';

  constructor(message: string) {
    super('wrong_data_key', message);
  }
}

export interface OpenedManifest {
  manifest: Manifest;
  cipher: RecordCipher;
  hashKey: Uint8Array;
  /** Says that every encrypted value is bound to its record: no other is accepted from now on. */
  refuseUnbound(): Promise<void>;
}

/**
 * Reads the manifest of a data directory, or creates one for a new directory.
 *
 * @throws DamagedError it cannot be read, or is missing
 * @throws FormatError a newer version wrote it
 * @throws WrongKeyError the key is wrong, missing, or given for a directory that is not encrypted
 */
export async function openManifest(
  files: FileSystem,
  dataDir: string,
  isNew: boolean,
  dataKey?: DataKey,
): Promise<OpenedManifest> {
  const path = join(dataDir, MANIFEST_FILE);
  const write = (content: Manifest) => writeJsonFile(files, path, content);
  let manifest = await readJsonFile<Manifest>(files, path);
  if (manifest === undefined) {
    if (!isNew) throw new DamagedError(path, 1, 'this file is missing');
    manifest = await createManifest(dataKey);
    await write(manifest);
  }
  assertReadable(manifest, dataDir);
  if (manifest.format !== FORMAT) {
    manifest = { ...manifest, format: FORMAT };
    await write(manifest);
  }
  const opened = await unlock(manifest, dataDir, dataKey);
  return { ...opened, manifest, refuseUnbound: () => refuseUnbound(write, manifest, opened) };
}

/** Whether a directory is a data directory with a store. */
export async function isInitialized(files: FileSystem, dataDir: string): Promise<boolean> {
  return (await readJsonFile<Manifest>(files, join(dataDir, MANIFEST_FILE))) !== undefined;
}

/** Whether a data directory needs a key. */
export async function isEncrypted(files: FileSystem, dataDir: string): Promise<boolean> {
  const manifest = await readJsonFile<Manifest>(files, join(dataDir, MANIFEST_FILE));
  return manifest?.key_check !== undefined;
}

function assertReadable({ format }: Manifest, dataDir: string): void {
  if (Number.isInteger(format) && format >= FIRST_FORMAT && format <= FORMAT) return;
  throw new FormatError(
    `${dataDir} has storage format ${format}, and this version of tokenctl knows up to ${FORMAT}: use a newer version`,
  );
}

async function createManifest(dataKey?: DataKey): Promise<Manifest> {
  const id = randomUUID();
  const manifest: Manifest = { format: FORMAT, id };
  if (dataKey === undefined) manifest.hash_key = randomBytes(32).toString('base64');
  else manifest.key_check = keyCheck(deriveKeys(await dataKey(id, true)).encryption, 'bound');
  return manifest;
}

interface Unlocked {
  cipher: RecordCipher;
  hashKey: Uint8Array;
  /** The `key_check` of a directory without unbound values. */
  boundCheck: string;
}

async function unlock(manifest: Manifest, dataDir: string, dataKey?: DataKey): Promise<Unlocked> {
  const { id, hash_key: hashKey, key_check: check } = manifest;
  if (check === undefined || hashKey !== undefined) {
    if (dataKey !== undefined) {
      throw new WrongKeyError(`${dataDir} was created without --encrypt; export its tenants and import them`);
    }
    return { cipher: plainCipher, hashKey: Buffer.from(hashKey ?? '', 'base64'), boundCheck: '' };
  }
  if (dataKey === undefined)
    throw new WrongKeyError(`${dataDir} is encrypted: start with --encrypt and its key`);
  const { encryption, hashing } = deriveKeys(await dataKey(id, false));
  const boundCheck = keyCheck(encryption, 'bound');
  const hasUnbound = check === keyCheck(encryption, 'unbound');
  if (check !== boundCheck && !hasUnbound) {
    throw new WrongKeyError(`${dataDir} was encrypted with another key than the one given`);
  }
  return { cipher: createCipher(encryption, hasUnbound), hashKey: hashing, boundCheck };
}

async function refuseUnbound(
  write: (content: Manifest) => Promise<void>,
  manifest: Manifest,
  { cipher, boundCheck }: Unlocked,
): Promise<void> {
  await write({ ...manifest, key_check: boundCheck });
  manifest.key_check = boundCheck;
  cipher.acceptsUnbound = false;
}
