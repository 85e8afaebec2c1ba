import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  type DecipherGCM,
  getCipherInfo,
  getCiphers,
} from 'node:crypto';
import type { Json } from '../../../../src/contract/json.js';
import type { HostFunction } from '../services.js';
import { HostObjects } from './host-objects.js';
import { createOperation } from './operation.js';

type Cipher = CipherGCM & DecipherGCM;

const ciphers = new HostObjects<Cipher>('cipher');

function create(
  direction: string,
  algorithm: string,
  key: Buffer,
  iv: Buffer | null,
  options?: object,
): Json {
  const createCipher = direction === 'encrypt' ? createCipheriv : createDecipheriv;
  return ciphers.add(createCipher(algorithm as 'aes-256-gcm', key, iv as Buffer, options as never) as Cipher);
}

export const CIPHER_FUNCTIONS: Record<string, HostFunction> = {
  createCipher: createOperation(create),
  updateCipher: createOperation((id: string, data: Buffer) => ciphers.find(id).update(data)),
  finishCipher: createOperation((id: string) => ciphers.find(id).final()),
  setAad: createOperation((id: string, aad: Buffer, options?: { plaintextLength: number }) => {
    ciphers.find(id).setAAD(aad, options);
    return null;
  }),
  getAuthTag: createOperation((id: string) => ciphers.find(id).getAuthTag()),
  setAuthTag: createOperation((id: string, tag: Buffer) => {
    ciphers.find(id).setAuthTag(tag);
    return null;
  }),
  setAutoPadding: createOperation((id: string, isPadded: boolean) => {
    ciphers.find(id).setAutoPadding(isPadded);
    return null;
  }),
  ciphers: () => getCiphers(),
  cipherInfo: createOperation(
    (name: string, options?: object) => (getCipherInfo(name, options) ?? null) as Json,
  ),
};
