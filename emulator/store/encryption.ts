import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { StartError } from '../lib/start-error.js';
import type { Collection } from './collections.js';
import type { CollectionName, Records, Stored } from './records.js';

const ALGORITHM = 'aes-256-gcm';
const KEY = 32;
const IV = 12;
const TAG = 16;

/** Turns records into the text that is kept on disk, and back. */
export interface RecordCipher {
  /** `json` is the record without its revision, if that is known. */
  write<N extends CollectionName>(
    collection: Collection<N>,
    record: Stored<Records[N]>,
    json?: string,
  ): string;
  read<N extends CollectionName>(text: string): Stored<Records[N]>;
  /** A whole file. */
  sealFile(text: string): Buffer;
  /** @throws Error when it was sealed with another key, or changed since */
  unsealFile(bytes: Buffer): string;
}

/** Keeps records as they are. */
export const plainRecords: RecordCipher = {
  write: (_, record, json) =>
    json === undefined ? JSON.stringify(record) : `${json.slice(0, -1)},"revision":${record.revision}}`,
  read: (text) => JSON.parse(text),
  sealFile: (text) => Buffer.from(text),
  unsealFile: (bytes) => bytes.toString('utf8'),
};

/**
 * Seals the secret properties of a record with AES-256-GCM under a key of the record's own, which is sealed under the key
 * of the data directory and stands beside it: when the line is blanked, the only copy of that key is gone.
 */
export function sealedRecords(masterKey: Uint8Array): RecordCipher {
  return {
    write(collection, record) {
      const { open, secret } = split(record, collection.secret as readonly string[]);
      if (secret === undefined) return JSON.stringify(open);
      const key = randomBytes(KEY);
      const sealed = Buffer.concat([seal(masterKey, key), seal(key, Buffer.from(JSON.stringify(secret)))]);
      return JSON.stringify({ ...open, sealed: sealed.toString('base64') });
    },
    read(text) {
      const { sealed, ...open } = JSON.parse(text);
      if (sealed === undefined) return open;
      const bytes = Buffer.from(sealed, 'base64');
      const keyLength = IV + KEY + TAG;
      const key = unseal(masterKey, bytes.subarray(0, keyLength));
      return { ...open, ...JSON.parse(unseal(key, bytes.subarray(keyLength)).toString('utf8')) };
    },
    sealFile: (text) => seal(masterKey, Buffer.from(text)),
    unsealFile: (bytes) => unseal(masterKey, bytes).toString('utf8'),
  };
}

function split(record: object, secretNames: readonly string[]) {
  const entries = Object.entries(record);
  const isSecret = ([name]: [string, unknown]) => secretNames.includes(name);
  const secret = entries.filter(isSecret);
  return {
    open: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    secret: secret.length === 0 ? undefined : Object.fromEntries(secret),
  };
}

function seal(key: Uint8Array, plain: Uint8Array): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv(ALGORITHM, key, iv);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error when the key is another one or the bytes were changed */
function unseal(key: Uint8Array, sealed: Buffer): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV));
  decipher.setAuthTag(sealed.subarray(-TAG));
  return Buffer.concat([decipher.update(sealed.subarray(IV, -TAG)), decipher.final()]);
}

/** Two keys from the one that was given: for sealing, and for the hashes of search values. */
export function deriveKeys(secret: Uint8Array): { sealing: Buffer; hashing: Buffer } {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `tokenctl ${purpose}`, KEY));
  return { sealing: derive('sealing'), hashing: derive('index') };
}

/** Says whether a key is the right one without saying anything else of it. */
export function keyCheck(sealingKey: Uint8Array): string {
  return createHmac('sha256', sealingKey).update('tokenctl key check').digest('base64');
}

/** @throws InvalidKeyError unless the text is 32 bytes in base64 or hex */
export function parseKey(text: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (key.length !== KEY || !/^[\w+/-]+=*$/.test(trimmed)) throw new InvalidKeyError();
  return key;
}

export class InvalidKeyError extends StartError {
  override name = 'InvalidKeyError';

  constructor(
    message = 'The data key must be 32 bytes, written in base64 or hex: `openssl rand -base64 32` makes one',
  ) {
    super('invalid_data_key', message);
  }
}
