import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  type DecipherGCM,
  getCipherInfo,
  getCiphers,
  randomUUID,
} from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Json } from '../../../../src/contract/json.js';
import { VisibleError } from '../../outcome.js';
import type { HostFunction } from '../services.js';
import { createOperation } from './operation.js';

type Cipher = CipherGCM & DecipherGCM;

/**
 * Ciphers that code has created, by an id that other code of this thread cannot guess. The oldest ones end when there are too
 * many.
 */
const ciphers = new LRUCache<string, Cipher>({ max: 1_000 });

function find(id: string): Cipher {
  const cipher = ciphers.get(id);
  if (cipher) return cipher;
  throw new VisibleError('The cipher is no longer available.', 'Error', 'ERR_CRYPTO_INVALID_STATE');
}

function create(
  direction: string,
  algorithm: string,
  key: Buffer,
  iv: Buffer | null,
  options?: object,
): Json {
  const createCipher = direction === 'encrypt' ? createCipheriv : createDecipheriv;
  const id = randomUUID();
  ciphers.set(id, createCipher(algorithm as 'aes-256-gcm', key, iv as Buffer, options as never) as Cipher);
  return id;
}

export const CIPHER_FUNCTIONS: Record<string, HostFunction> = {
  createCipher: createOperation(create),
  updateCipher: createOperation((id: string, data: Buffer) => find(id).update(data)),
  finishCipher: createOperation((id: string) => find(id).final()),
  setAad: createOperation((id: string, aad: Buffer, options?: { plaintextLength: number }) => {
    find(id).setAAD(aad, options);
    return null;
  }),
  getAuthTag: createOperation((id: string) => find(id).getAuthTag()),
  setAuthTag: createOperation((id: string, tag: Buffer) => {
    find(id).setAuthTag(tag);
    return null;
  }),
  setAutoPadding: createOperation((id: string, isPadded: boolean) => {
    find(id).setAutoPadding(isPadded);
    return null;
  }),
  ciphers: () => getCiphers(),
  cipherInfo: createOperation(
    (name: string, options?: object) => (getCipherInfo(name, options) ?? null) as Json,
  ),
};
