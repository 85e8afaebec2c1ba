import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { collectionOf } from './collections.js';
import type { CollectionName, Records, Stored } from './records.js';

const ALGORITHM = 'aes-256-gcm';
export const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ENCRYPTED_KEY_BYTES = IV_BYTES + KEY_BYTES + TAG_BYTES;

/** The record that stored properties belong to. */
export type RecordName = { collection: CollectionName; tenantId: string; id: string };

/** Turns records into the objects that are stored as JSON, and back. A decrypted record may be the object itself. */
export interface RecordCipher {
  encrypt(collection: CollectionName, record: Stored<Records[CollectionName]>): object;
  /** @throws Error this is not what was stored for the record of this name */
  decrypt<N extends CollectionName>(name: RecordName & { collection: N }, stored: object): Stored<Records[N]>;
  encryptFile(text: string): Buffer;
  /** @throws Error it was encrypted with another key, or changed since */
  decryptFile(bytes: Buffer): string;
}

export const plainCipher: RecordCipher = {
  encrypt: (_, record) => record,
  decrypt: (_, stored) => stored as never,
  encryptFile: (text) => Buffer.from(text),
  decryptFile: (bytes) => bytes.toString('utf8'),
};

/**
 * Encrypts the secret properties of a record with AES-256-GCM under a key of the record's own. That key is encrypted under
 * the key of the data directory and stored in the same line: erasing the line destroys its only copy. The name of the record
 * is authenticated data, so that what was encrypted for one record is refused in any other.
 */
export function createCipher(masterKey: Uint8Array): RecordCipher {
  return {
    encrypt(collection, record) {
      const { tenantOf, secret: names } = collectionOf(collection);
      const entries = Object.entries(record);
      const isSecret = ([name]: [string, unknown]) => names.some((secret) => secret === name);
      const secret = entries.filter(isSecret);
      if (secret.length === 0) return record;
      // One call: each costs as much as the encryption of a short text.
      const random = randomBytes(KEY_BYTES + 2 * IV_BYTES);
      const [keyIv, iv] = [random.subarray(0, IV_BYTES), random.subarray(IV_BYTES, 2 * IV_BYTES)];
      const key = random.subarray(2 * IV_BYTES);
      const name = { collection, tenantId: tenantOf(record), id: record.id };
      const text = Buffer.from(JSON.stringify(Object.fromEntries(secret)));
      const parts = [encrypt(masterKey, key, keyIv), encrypt(key, text, iv, authenticatedData(name))];
      const encrypted = Buffer.concat(parts).toString('base64');
      return { ...Object.fromEntries(entries.filter((entry) => !isSecret(entry))), encrypted };
    },
    decrypt(name, stored) {
      const { encrypted, ...open } = stored as { encrypted?: string } & Records[CollectionName];
      assertOwn(open, name);
      if (encrypted === undefined) return open as never;
      const bytes = Buffer.from(encrypted, 'base64');
      const key = decrypt(masterKey, bytes.subarray(0, ENCRYPTED_KEY_BYTES));
      const secret = decrypt(key, bytes.subarray(ENCRYPTED_KEY_BYTES), authenticatedData(name));
      return { ...open, ...JSON.parse(secret.toString('utf8')) };
    },
    encryptFile: (text) => encrypt(masterKey, Buffer.from(text), randomBytes(IV_BYTES)),
    decryptFile: (bytes) => decrypt(masterKey, bytes).toString('utf8'),
  };
}

function authenticatedData({ collection, tenantId, id }: RecordName): Buffer {
  return Buffer.from(JSON.stringify([collection, tenantId, id]));
}

/** @throws Error what is stored is another record, or has a secret in plain text */
function assertOwn(open: Records[CollectionName], { collection, tenantId, id }: RecordName): void {
  const { tenantOf, secret } = collectionOf(collection);
  if (open.id !== id || tenantOf(open) !== tenantId) throw new Error('it belongs to another record');
  if (secret.some((name) => name in open)) throw new Error('a secret property of it is not encrypted');
}

function encrypt(key: Uint8Array, plain: Uint8Array, iv: Uint8Array, authenticated?: Uint8Array): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, iv);
  if (authenticated !== undefined) cipher.setAAD(authenticated);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error the key or the authenticated data is another one, or the bytes were changed */
function decrypt(key: Uint8Array, encrypted: Buffer, authenticated?: Uint8Array): Buffer {
  const iv = encrypted.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  if (authenticated !== undefined) decipher.setAAD(authenticated);
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** Derives two keys from the data key: one to encrypt with, one for the hashes of index terms. */
export function deriveKeys(dataKey: Uint8Array): { encryption: Buffer; hashing: Buffer } {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', dataKey, '', `tokenctl ${purpose}`, KEY_BYTES));
  // The names are part of the format.
  return { encryption: derive('sealing'), hashing: derive('index') };
}

/** Returns a text that says whether a key is the right one, and nothing else about it. */
export function keyCheck(encryptionKey: Uint8Array): string {
  return createHmac('sha256', encryptionKey).update('tokenctl key check 2').digest('base64');
}
