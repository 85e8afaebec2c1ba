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
import { VisibleError } from '../../outcome.js';

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

function create(direction: string, algorithm: string, ...args: [Buffer, Buffer | null, object?]): string {
  const createCipher = direction === 'encrypt' ? createCipheriv : createDecipheriv;
  const id = randomUUID();
  ciphers.set(id, Reflect.apply(createCipher, undefined, [algorithm, ...args]) as Cipher);
  return id;
}

export const CIPHER_FUNCTIONS = {
  createCipher: create,
  updateCipher: (id: string, data: Buffer) => find(id).update(data),
  finishCipher: (id: string) => find(id).final(),
  setAad: (id: string, aad: Buffer, options?: { plaintextLength: number }) =>
    void find(id).setAAD(aad, options),
  getAuthTag: (id: string) => find(id).getAuthTag(),
  setAuthTag: (id: string, tag: Buffer) => void find(id).setAuthTag(tag),
  setAutoPadding: (id: string, isPadded: boolean) => void find(id).setAutoPadding(isPadded),
  ciphers: () => getCiphers(),
  cipherInfo: (name: string, options?: object) => getCipherInfo(name, options),
};
