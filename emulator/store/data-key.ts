import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { makeDirectories } from '../../src/contract/files.js';
import { StartError } from '../lib/start-error.js';
import { KEY_BYTES } from './encryption.js';
import { DIRECTORY_MODE } from './files/file-system.js';

/** Returns the data key of the store with this id. A key may be created for a new store only. */
export type DataKey = (storeId: string, isNew: boolean) => Promise<Uint8Array>;

const INVALID =
  'The data key must be 32 bytes, written in base64 or hex: `openssl rand -base64 32` makes one.';
const invalidKey = (message: string): StartError => new StartError('invalid_data_key', message);

interface DataKeySource {
  /** The key itself, base64 or hex. */
  text?: string;
  /** A file that holds it; created for a new store if it does not exist. */
  file?: string;
  /** Holds the keys of stores for which neither is given; one file per store. */
  directory: string;
  /** Must not contain the key file. */
  dataDir: string;
  /** What the key opens, for messages. Default: the data directory. */
  name?: string;
}

/** Reads the data key of a store from a text, a file, or the user's configuration, where one is created for a new store. */
export function dataKeyFrom({ text, file, directory, dataDir, name = dataDir }: DataKeySource): DataKey {
  if (text !== undefined) return async () => parseKey(text);
  return async (storeId, isNew) => {
    const path = resolve(file ?? join(directory, `${storeId}.key`));
    if (!relative(resolve(dataDir), path).startsWith('..'))
      throw invalidKey('The key file must not be in the data directory that it opens.');
    const key = (await readKey(path)) ?? (isNew ? await createKey(path) : undefined);
    if (key !== undefined) return key;
    throw invalidKey(`${name} is encrypted, and there is no key for it at ${path}.`);
  };
}

async function readKey(path: string): Promise<Uint8Array | undefined> {
  try {
    return parseKey(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(`The key file ${path} cannot be read`, error);
  }
}

async function createKey(path: string): Promise<Uint8Array> {
  const key = randomBytes(KEY_BYTES);
  try {
    makeDirectories(dirname(path), DIRECTORY_MODE);
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${key.toString('base64')}\n`);
      // Data is encrypted with it from now on: a power cut must not lose it.
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(`The key file ${path} cannot be created`, error);
  }
  return key;
}

/** Converts an error of the file system, such as a directory in place of the file or a missing right, to one that names the file. */
function fileError(problem: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || error instanceof StartError ? error : invalidKey(`${problem}: ${code}.`);
}

function parseKey(text: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (key.length !== KEY_BYTES || !/^[\w+/-]+=*$/.test(trimmed)) throw invalidKey(INVALID);
  return key;
}
