import { type Algorithm, attempt, CURVES, hashOf, normalize } from './algorithms.js';
import { CryptoKey } from './crypto-key.js';
import { describeAlgorithm, parseKey } from './key-formats.js';
import { createSecretKey, generateKeyPairSync, type KeyObject } from './key-object.js';

/** Length of an HMAC key that names none: the block of its hash. */
export const BLOCK_BITS: Record<string, number> = { sha1: 512, sha256: 512, sha384: 1_024, sha512: 1_024 };

const randomBytes = (size: number): Buffer => Buffer.from(crypto.getRandomValues(new Uint8Array(size)));

const PRIVATE_USAGES = ['sign', 'decrypt', 'unwrapKey', 'deriveBits', 'deriveKey'];

/** `subtle.generateKey`. */
export function generate(algorithm: Algorithm, extractable: boolean, usages: readonly string[]) {
  const { name } = algorithm;
  if (name === 'HMAC' || name.startsWith('AES-')) {
    const bits = Number(algorithm.length ?? BLOCK_BITS[hashOf(algorithm)]);
    const key = createSecretKey(randomBytes(bits / 8));
    return new CryptoKey(key, describeAlgorithm(algorithm, key), extractable, usages);
  }
  const type = name.startsWith('RSA') ? 'rsa' : name.startsWith('EC') ? 'ec' : name.toLowerCase();
  const options = {
    ...(type === 'rsa' && { modulusLength: algorithm.modulusLength, publicExponent: 65_537 }),
    ...(type === 'ec' && { namedCurve: CURVES[String(algorithm.namedCurve)] }),
  };
  const pair = attempt(() => generateKeyPairSync(type, options)) as {
    publicKey: KeyObject;
    privateKey: KeyObject;
  };
  const create = (key: KeyObject, isExtractable: boolean) =>
    new CryptoKey(
      key,
      describeAlgorithm(algorithm, key),
      isExtractable,
      usages.filter((usage) => PRIVATE_USAGES.includes(usage) === (key.type === 'private')),
    );
  return { publicKey: create(pair.publicKey, true), privateKey: create(pair.privateKey, extractable) };
}

/** `subtle.importKey`. */
export function importKey(
  format: string,
  data: unknown,
  given: unknown,
  extractable: boolean,
  usages: readonly string[],
): CryptoKey {
  const algorithm = normalize(given);
  const key = parseKey(format, data, algorithm);
  return new CryptoKey(key, describeAlgorithm(algorithm, key), extractable, usages);
}
