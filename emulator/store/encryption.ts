import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { StartError } from '../lib/start-error.js';
import type { Collection } from './collections.js';
import type { CollectionName, Records, Stored } from './records.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ENCRYPTED_KEY_BYTES = IV_BYTES + KEY_BYTES + TAG_BYTES;

/** Turns records into the objects that are stored as JSON, and back. */
export interface RecordCipher {
  encrypt<N extends CollectionName>(collection: Collection<N>, record: Stored<Records[N]>): object;
  decrypt<N extends CollectionName>(json: string): Stored<Records[N]>;
  /** Encrypts the text of a whole file. */
  encryptFile(text: string): Buffer;
  /** @throws Error it was encrypted with another key, or changed since */
  decryptFile(bytes: Buffer): string;
}

/** Stores records as they are. */
export const plainCipher: RecordCipher = {
  encrypt: (_, record) => record,
  decrypt: (json) => JSON.parse(json),
  encryptFile: (text) => Buffer.from(text),
  decryptFile: (bytes) => bytes.toString('utf8'),
};

/**
 * Encrypts the secret properties of a record with AES-256-GCM under a key of the record's own. That key is encrypted under
 * the key of the data directory and stored in the same line: erasing the line destroys its only copy.
 */
export function createCipher(masterKey: Uint8Array): RecordCipher {
  return {
    encrypt(collection, record) {
      const { open, secret } = split(record, collection.secret as readonly string[]);
      if (secret === undefined) return open;
      const key = randomBytes(KEY_BYTES);
      const encrypted = Buffer.concat([
        encrypt(masterKey, key),
        encrypt(key, Buffer.from(JSON.stringify(secret))),
      ]);
      return { ...open, sealed: encrypted.toString('base64') };
    },
    decrypt(json) {
      const { sealed, ...open } = JSON.parse(json);
      if (sealed === undefined) return open;
      const bytes = Buffer.from(sealed, 'base64');
      const key = decrypt(masterKey, bytes.subarray(0, ENCRYPTED_KEY_BYTES));
      const secret = decrypt(key, bytes.subarray(ENCRYPTED_KEY_BYTES)).toString('utf8');
      return { ...open, ...JSON.parse(secret) };
    },
    encryptFile: (text) => encrypt(masterKey, Buffer.from(text)),
    decryptFile: (bytes) => decrypt(masterKey, bytes).toString('utf8'),
  };
}

function split(record: object, secretNames: readonly string[]) {
  const entries = Object.entries(record);
  const secret = entries.filter(([name]) => secretNames.includes(name));
  const open = entries.filter(([name]) => !secretNames.includes(name));
  return {
    open: Object.fromEntries(open),
    secret: secret.length === 0 ? undefined : Object.fromEntries(secret),
  };
}

function encrypt(key: Uint8Array, plain: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error the key is another one, or the bytes were changed */
function decrypt(key: Uint8Array, encrypted: Buffer): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, IV_BYTES));
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** Derives two keys from the data key: one to encrypt with, one for the hashes of search values. */
export function deriveKeys(dataKey: Uint8Array): { encryption: Buffer; hashing: Buffer } {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', dataKey, '', `tokenctl ${purpose}`, KEY_BYTES));
  // The names are part of the format.
  return { encryption: derive('sealing'), hashing: derive('index') };
}

/** Returns a text that says whether a key is the right one, and nothing else about it. */
export function keyCheck(encryptionKey: Uint8Array): string {
  return createHmac('sha256', encryptionKey).update('tokenctl key check').digest('base64');
}

/** @throws InvalidKeyError the text is not 32 bytes in base64 or hex */
export function parseKey(text: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (key.length !== KEY_BYTES || !/^[\w+/-]+=*$/.test(trimmed)) throw new InvalidKeyError();
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
