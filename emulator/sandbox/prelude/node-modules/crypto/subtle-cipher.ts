import { createHmac } from 'node:crypto';
import { type Algorithm, attempt, bytesOf, failure, hashOf } from './algorithms.js';
import { Cipher } from './cipher.js';
import { type CryptoKey, useKey } from './crypto-key.js';
import { callCryptoForBytes } from './host-calls.js';
import type { KeyObject } from './key-object.js';
import { sign, verify } from './sign.js';

const RSA_PKCS1_OAEP_PADDING = 4;
const TAG_BYTES = 16;
/** Initial value of AES-KW, which shows whether a key was unwrapped (RFC 3394, 2.2.3.1). */
const WRAP_IV = Buffer.alloc(8, 0xa6);

function createAes(direction: 'encrypt' | 'decrypt', algorithm: Algorithm, key: KeyObject): Cipher {
  const mode = algorithm.name.slice('AES-'.length).toLowerCase();
  const bits = (key.symmetricKeySize ?? 0) * 8;
  if (mode === 'kw') return new Cipher(direction, `aes${bits}-wrap`, key, WRAP_IV);
  const iv = bytesOf(algorithm, mode === 'ctr' ? 'counter' : 'iv');
  const cipher = new Cipher(direction, `aes-${bits}-${mode}`, key, iv);
  if (algorithm.additionalData !== undefined) cipher.setAAD(bytesOf(algorithm, 'additionalData'));
  return cipher;
}

const oaep = (algorithm: Algorithm, key: CryptoKey, object: KeyObject) => ({
  key: object,
  padding: RSA_PKCS1_OAEP_PADDING,
  oaepHash: hashOf(key.algorithm),
  ...(algorithm.label !== undefined && { oaepLabel: bytesOf(algorithm, 'label') }),
});

/** `subtle.encrypt` and the encryption of `wrapKey`. */
export function encryptData(algorithm: Algorithm, key: CryptoKey, data: Buffer, usage = 'encrypt'): Buffer {
  const object = useKey(key, algorithm, usage);
  return attempt(() => {
    if (algorithm.name === 'RSA-OAEP')
      return callCryptoForBytes('publicEncrypt', oaep(algorithm, key, object), data);
    const cipher = createAes('encrypt', algorithm, object);
    const parts = [cipher.update(data) as Buffer, cipher.final() as Buffer];
    const tagBytes = Number(algorithm.tagLength ?? TAG_BYTES * 8) / 8;
    return Buffer.concat(
      algorithm.name === 'AES-GCM' ? [...parts, cipher.getAuthTag().subarray(0, tagBytes)] : parts,
    );
  });
}

/** `subtle.decrypt` and the decryption of `unwrapKey`. */
export function decryptData(algorithm: Algorithm, key: CryptoKey, data: Buffer, usage = 'decrypt'): Buffer {
  const object = useKey(key, algorithm, usage);
  return attempt(() => {
    if (algorithm.name === 'RSA-OAEP')
      return callCryptoForBytes('privateDecrypt', oaep(algorithm, key, object), data);
    const cipher = createAes('decrypt', algorithm, object);
    const isGcm = algorithm.name === 'AES-GCM';
    const tagBytes = isGcm ? Number(algorithm.tagLength ?? TAG_BYTES * 8) / 8 : 0;
    const end = data.length - tagBytes;
    if (isGcm) cipher.setAuthTag(data.subarray(end));
    return Buffer.concat([cipher.update(data.subarray(0, end)) as Buffer, cipher.final() as Buffer]);
  });
}

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
