import { createHash } from 'node:crypto';
import { type Algorithm, attempt, bytesOf, failure, hashOf, normalize } from './algorithms.js';
import {
  BLOCK_BITS,
  type CryptoKey,
  formatKey,
  generate,
  importKey,
  keyObjectOf,
  toArrayBuffer,
  useKey,
} from './crypto-key.js';
import { callCryptoForBytes, toBuffer } from './host-calls.js';
import { decryptData, encryptData, signData, verifyData } from './subtle-cipher.js';

function deriveBytes(algorithm: Algorithm, key: CryptoKey, bits: number | null, usage: string): Buffer {
  const object = useKey(key, algorithm, usage);
  const { name } = algorithm;
  return attempt(() => {
    if (name === 'ECDH' || name === 'X25519') {
      const publicKey = keyObjectOf(algorithm.public as CryptoKey);
      const secret = callCryptoForBytes('diffieHellman', { privateKey: object, publicKey });
      return bits === null ? secret : secret.subarray(0, bits / 8);
    }
    if (bits === null || bits % 8 !== 0) throw failure('OperationError', 'length must be a multiple of 8');
    const secret = object.export() as Buffer;
    if (name === 'PBKDF2')
      return callCryptoForBytes(
        'pbkdf2',
        secret,
        bytesOf(algorithm, 'salt'),
        algorithm.iterations,
        bits / 8,
        hashOf(algorithm),
      );
    if (name !== 'HKDF') throw failure('NotSupportedError', 'Unrecognized algorithm name');
    return callCryptoForBytes(
      'hkdf',
      hashOf(algorithm),
      secret,
      bytesOf(algorithm, 'salt'),
      bytesOf(algorithm, 'info'),
      bits / 8,
    );
  });
}

/** `crypto.subtle`. It computes at once, in the thread of the reactor. */
export const subtle = {
  digest: async (algorithm: unknown, data: unknown) => {
    return toArrayBuffer(
      createHash(hashOf({ name: '', hash: normalize(algorithm) }))
        .update(toBuffer(data))
        .digest(),
    );
  },
  importKey: async (...args: Parameters<typeof importKey>) => importKey(...args),
  exportKey: async (format: string, key: CryptoKey) => formatKey(format, key),
  generateKey: async (algorithm: unknown, extractable: boolean, usages: readonly string[]) =>
    generate(normalize(algorithm), extractable, usages),
  sign: async (algorithm: unknown, key: CryptoKey, data: unknown) =>
    toArrayBuffer(signData(normalize(algorithm), key, toBuffer(data))),
  verify: async (algorithm: unknown, key: CryptoKey, signature: unknown, data: unknown) =>
    verifyData(normalize(algorithm), key, toBuffer(signature), toBuffer(data)),
  encrypt: async (algorithm: unknown, key: CryptoKey, data: unknown) =>
    toArrayBuffer(encryptData(normalize(algorithm), key, toBuffer(data))),
  decrypt: async (algorithm: unknown, key: CryptoKey, data: unknown) =>
    toArrayBuffer(decryptData(normalize(algorithm), key, toBuffer(data))),
  deriveBits: async (algorithm: unknown, key: CryptoKey, bits: number | null = null) =>
    toArrayBuffer(deriveBytes(normalize(algorithm), key, bits, 'deriveBits')),
  deriveKey: async (
    given: unknown,
    key: CryptoKey,
    derived: unknown,
    extractable: boolean,
    usages: readonly string[],
  ) => {
    const algorithm = normalize(derived);
    const bits = Number(
      algorithm.length ?? (algorithm.name === 'HMAC' ? BLOCK_BITS[hashOf(algorithm)] : Number.NaN),
    );
    const bytes = deriveBytes(normalize(given), key, bits, 'deriveKey');
    return importKey('raw', bytes, algorithm, extractable, usages);
  },
  wrapKey: async (format: string, key: CryptoKey, wrapping: CryptoKey, algorithm: unknown) => {
    const exported = formatKey(format, key);
    const bytes =
      exported instanceof ArrayBuffer ? Buffer.from(exported) : Buffer.from(JSON.stringify(exported));
    return toArrayBuffer(encryptData(normalize(algorithm), wrapping, bytes, 'wrapKey'));
  },
  unwrapKey: async (
    format: string,
    wrapped: unknown,
    unwrapping: CryptoKey,
    algorithm: unknown,
    ...rest: [algorithm: unknown, extractable: boolean, usages: readonly string[]]
  ) => {
    const bytes = decryptData(normalize(algorithm), unwrapping, toBuffer(wrapped), 'unwrapKey');
    return importKey(format, format === 'jwk' ? JSON.parse(bytes.toString()) : bytes, ...rest);
  },
};
