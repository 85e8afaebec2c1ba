import { createHmac } from 'node:crypto';
import { type Algorithm, attempt, failure, hashOf } from './algorithms.js';
import { type CryptoKey, useKey } from './crypto-key.js';
import type { KeyObject } from './key-object.js';
import { sign, verify } from './sign.js';

const RSA_PKCS1_PSS_PADDING = 6;

const hmac = (hash: string, key: KeyObject, data: Buffer): Buffer =>
  createHmac(hash, key.export() as Buffer)
    .update(data)
    .digest();

function signatureOptions(
  algorithm: Algorithm,
  key: CryptoKey,
  keyObject: KeyObject,
): [string | null, object] {
  const { name } = algorithm;
  if (name === 'Ed25519') return [null, keyObject];
  if (name === 'ECDSA') return [hashOf(algorithm), { key: keyObject, dsaEncoding: 'ieee-p1363' }];
  const hash = hashOf(key.algorithm);
  if (name === 'RSASSA-PKCS1-v1_5') return [hash, keyObject];
  if (name !== 'RSA-PSS') throw failure('NotSupportedError', 'Unrecognized algorithm name');
  return [hash, { key: keyObject, padding: RSA_PKCS1_PSS_PADDING, saltLength: algorithm.saltLength }];
}

/** `subtle.sign`. */
export function signData(algorithm: Algorithm, key: CryptoKey, data: Buffer): Buffer {
  const object = useKey(key, algorithm, 'sign');
  if (algorithm.name === 'HMAC') return hmac(hashOf(key.algorithm), object, data);
  const [hash, options] = signatureOptions(algorithm, key, object);
  return attempt(() => sign(hash, data, options));
}

/** `subtle.verify`. */
export function verifyData(algorithm: Algorithm, key: CryptoKey, signature: Buffer, data: Buffer): boolean {
  const object = useKey(key, algorithm, 'verify');
  if (algorithm.name === 'HMAC') return hmac(hashOf(key.algorithm), object, data).equals(signature);
  const [hash, options] = signatureOptions(algorithm, key, object);
  return attempt(() => verify(hash, data, options, signature));
}
