import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { StartError } from '../lib/start-error.js';
import { deriveKeys, keyCheck, plainRecords, type RecordCipher, sealedRecords } from './encryption.js';
import { DamagedError } from './errors.js';
import { DurableJsonFile } from './files/durable-json-file.js';
import type { FileSystem } from './files/file-system.js';

/** The format this version writes. A change of what stands on disk is a new number here and a row in UPGRADES. */
export const FORMAT = 1;

export const MANIFEST_FILE = 'store.json';

/** What must be known of a data directory before the rest of it can be read. */
export interface Manifest {
  format: number;
  id: string;
  /** Base64; keys the hashes of search values. Absent when encrypted: derived from the data key then. */
  hash_key?: string;
  /** Says whether a data key is the right one. Absent when not encrypted. */
  key_check?: string;
}

/** Gives the data key of the store with this id; only for a new one may it be made. */
export type DataKey = (storeId: string, isNew: boolean) => Promise<Uint8Array>;

/** Brings a data directory from a format to the next; must do no harm when it is stopped and run again. */
export type Upgrade = (files: FileSystem, dataDir: string, manifest: Manifest) => Promise<Manifest>;

/** By the format they start from. */
const UPGRADES: Record<number, Upgrade> = {};

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

export interface Opened {
  manifest: Manifest;
  sealing: RecordCipher;
  hashKey: Uint8Array;
}

/**
 * Reads the manifest of a data directory, or makes one for a directory that is new.
 *
 * @throws DamagedError it cannot be read, or is missing
 * @throws FormatError written by a newer version
 * @throws WrongKeyError the key is not the directory's, or is missing, or was given for a directory without one
 */
export async function openManifest(
  files: FileSystem,
  dataDir: string,
  isNew: boolean,
  dataKey?: DataKey,
): Promise<Opened> {
  const path = join(dataDir, MANIFEST_FILE);
  const file = new DurableJsonFile<Manifest>(files, path);
  const found = await file.read();
  if (found === null) {
    if (!isNew) throw new DamagedError(path, 1, 'this file is missing');
    return createManifest(file, dataKey);
  }
  let manifest = found;
  while (manifest.format !== FORMAT) {
    manifest = await upgradeOf(manifest.format, dataDir)(files, dataDir, manifest);
    await file.write(manifest);
  }
  return unlock(manifest, dataDir, dataKey);
}

/** Whether a data directory needs a key. */
export async function isEncrypted(files: FileSystem, dataDir: string): Promise<boolean> {
  const manifest = await new DurableJsonFile<Manifest>(files, join(dataDir, MANIFEST_FILE)).read();
  return manifest?.key_check !== undefined;
}

function upgradeOf(format: number, dataDir: string): Upgrade {
  const upgrade = UPGRADES[format];
  if (upgrade !== undefined) return upgrade;
  throw new FormatError(
    `${dataDir} has storage format ${format}, and this version of tokenctl knows up to ${FORMAT}: use a newer version`,
  );
}

async function createManifest(file: DurableJsonFile<Manifest>, dataKey?: DataKey): Promise<Opened> {
  const id = randomUUID();
  const manifest: Manifest = { format: FORMAT, id };
  if (dataKey === undefined) manifest.hash_key = randomBytes(32).toString('base64');
  else manifest.key_check = keyCheck(deriveKeys(await dataKey(id, true)).sealing);
  await file.write(manifest);
  return unlock(manifest, '', dataKey);
}

async function unlock(manifest: Manifest, dataDir: string, dataKey?: DataKey): Promise<Opened> {
  const { id, hash_key: hashKey, key_check: check } = manifest;
  if (check === undefined || hashKey !== undefined) {
    if (dataKey !== undefined) {
      throw new WrongKeyError(`${dataDir} was created without --encrypt; export its tenants and import them`);
    }
    return { manifest, sealing: plainRecords, hashKey: Buffer.from(hashKey ?? '', 'base64') };
  }
  if (dataKey === undefined)
    throw new WrongKeyError(`${dataDir} is encrypted: start with --encrypt and its key`);
  const keys = deriveKeys(await dataKey(id, false));
  if (keyCheck(keys.sealing) !== check) {
    throw new WrongKeyError(`${dataDir} was encrypted with another key than the one given`);
  }
  return { manifest, sealing: sealedRecords(keys.sealing), hashKey: keys.hashing };
}
