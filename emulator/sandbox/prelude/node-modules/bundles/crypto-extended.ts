import { callHost } from '../../bridge/host-bridge.js';
import { Cipher } from '../crypto/cipher.js';
import { ECDH } from '../crypto/ecdh.js';
import { callCrypto, callCryptoForBytes, toBuffer, withCallback } from '../crypto/host-calls.js';
import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  KeyObject,
  type PairOptions,
} from '../crypto/key-object.js';
import { Sign, sign, Verify, verify } from '../crypto/sign.js';

// Functions of this kind, because packages also call them with `new`.
function createCipheriv(algorithm: string, key: unknown, iv: unknown, options?: object): Cipher {
  return new Cipher('encrypt', algorithm, key, iv, options);
}
function createDecipheriv(algorithm: string, key: unknown, iv: unknown, options?: object): Cipher {
  return new Cipher('decrypt', algorithm, key, iv, options);
}

const pbkdf2Sync = (
  password: unknown,
  salt: unknown,
  iterations: number,
  keyBytes: number,
  digest: string,
): Buffer => callCryptoForBytes('pbkdf2', toBuffer(password), toBuffer(salt), iterations, keyBytes, digest);
const scryptSync = (password: unknown, salt: unknown, keyBytes: number, options?: object): Buffer =>
  callCryptoForBytes('scrypt', toBuffer(password), toBuffer(salt), keyBytes, options);
const hkdfSync = (
  digest: string,
  key: unknown,
  salt: unknown,
  info: unknown,
  keyBytes: number,
): ArrayBuffer => {
  const bytes = callCryptoForBytes('hkdf', digest, toBuffer(key), toBuffer(salt), toBuffer(info), keyBytes);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
};

const convert =
  (name: string) =>
  (key: unknown, data: unknown): Buffer =>
    callCryptoForBytes(name, key, toBuffer(data));

const generateKeyPair = Object.assign(
  withCallback((type: string, options?: PairOptions) => {
    const { publicKey, privateKey } = generateKeyPairSync(type, options);
    return [publicKey, privateKey];
  }),
  {
    [Symbol.for('nodejs.util.promisify.custom')]: async (type: string, options?: PairOptions) =>
      generateKeyPairSync(type, options),
  },
);

/** The part of `require('crypto')` that is loaded when it is first used; `crypto.ts` lists the names. */
export const exported = {
  ECDH,
  KeyObject,
  Sign,
  Verify,
  constants: callHost<Record<string, number>>('cryptoConstants', null),
  createCipheriv,
  createDecipheriv,
  createECDH: (curve: string) => new ECDH(curve),
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  createSign: (algorithm: string) => new Sign(algorithm),
  createVerify: (algorithm: string) => new Verify(algorithm),
  diffieHellman: (options: object) => callCryptoForBytes('diffieHellman', options),
  generateKeyPair,
  generateKeyPairSync,
  getCipherInfo: (name: string, options?: object) =>
    callCrypto<object | null>('cipherInfo', name, options) ?? undefined,
  getCiphers: () => callHost<string[]>('ciphers', null),
  getCurves: () => callHost<string[]>('curves', null),
  hkdf: withCallback(hkdfSync),
  hkdfSync,
  pbkdf2: withCallback(pbkdf2Sync),
  pbkdf2Sync,
  privateDecrypt: convert('privateDecrypt'),
  privateEncrypt: convert('privateEncrypt'),
  publicDecrypt: convert('publicDecrypt'),
  publicEncrypt: convert('publicEncrypt'),
  scrypt: withCallback(scryptSync),
  scryptSync,
  sign,
  verify,
};
