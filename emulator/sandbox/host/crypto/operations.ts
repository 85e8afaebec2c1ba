import crypto from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { VisibleError } from '../../outcome.js';
import { chargePbkdf2, chargeScrypt } from './costs.js';
import { type KeyArgument, loadPrivateKey, loadPublicKey } from './keys.js';

/** Bounds what one call allocates in the host, outside the memory limit of the instance. */
const MAX_RANDOM_BYTES = 64 * 1024 * 1024;

/** Tries the algorithm, which is faster than a search through `getHashes()`. */
function hasDigest(algorithm: string): boolean {
  try {
    crypto.createHash(algorithm);
    return true;
  } catch {
    return false;
  }
}

function digest(algorithm: string, key: Buffer | null, data: Buffer): Buffer {
  const hash = key === null ? crypto.createHash(algorithm) : crypto.createHmac(algorithm, key);
  return hash.update(data).digest();
}

function random(size: number): Buffer {
  if (size >= 0 && size <= MAX_RANDOM_BYTES) return crypto.randomBytes(size);
  throw new VisibleError(
    `The value of "size" is out of range. It must be >= 0 && <= ${MAX_RANDOM_BYTES}.`,
    'RangeError',
  );
}

type Bytes = string | Buffer;

function pbkdf2(password: Bytes, salt: Bytes, iterations: number, keyBytes: number, name: string): Buffer {
  const digestBytes = hasDigest(name) ? digest(name, null, Buffer.alloc(0)).length : undefined;
  chargePbkdf2(iterations, keyBytes, Buffer.byteLength(salt), digestBytes);
  return crypto.pbkdf2Sync(password, salt, iterations, keyBytes, name);
}

function scrypt(password: Bytes, salt: Bytes, keyBytes: number, options: crypto.ScryptOptions = {}): Buffer {
  const bounded = chargeScrypt(keyBytes, Buffer.byteLength(salt), options);
  return crypto.scryptSync(password, salt, keyBytes, bounded);
}

function generateEcdh(curve: string): Buffer {
  const ecdh = crypto.createECDH(curve);
  ecdh.generateKeys();
  return ecdh.getPrivateKey();
}

function ecdhOf(curve: string, privateKey: Buffer): crypto.ECDH {
  const ecdh = crypto.createECDH(curve);
  ecdh.setPrivateKey(privateKey);
  return ecdh;
}

type Cipher = crypto.CipherGCM & crypto.DecipherGCM;

/** Ciphers that code has created, by an id that other code cannot guess. The oldest end when there are too many. */
const ciphers = new LRUCache<string, Cipher>({ max: 1_000 });

function findCipher(id: string): Cipher {
  const cipher = ciphers.get(id);
  if (cipher) return cipher;
  throw new VisibleError('The cipher is no longer available.', 'Error', 'ERR_CRYPTO_INVALID_STATE');
}

function createCipher(direction: string, algorithm: string, ...args: [Buffer, Buffer | null, object?]) {
  const create = direction === 'encrypt' ? crypto.createCipheriv : crypto.createDecipheriv;
  const id = crypto.randomUUID();
  ciphers.set(id, Reflect.apply(create, undefined, [algorithm, ...args]) as Cipher);
  return id;
}

const CIPHER_FUNCTIONS = {
  createCipher,
  updateCipher: (id: string, data: Buffer) => findCipher(id).update(data),
  finishCipher: (id: string) => findCipher(id).final(),
  setAad: (id: string, aad: Buffer, options?: { plaintextLength: number }) =>
    void findCipher(id).setAAD(aad, options),
  getAuthTag: (id: string) => findCipher(id).getAuthTag(),
  setAuthTag: (id: string, tag: Buffer) => void findCipher(id).setAuthTag(tag),
  setAutoPadding: (id: string, isPadded: boolean) => void findCipher(id).setAutoPadding(isPadded),
  ciphers: () => crypto.getCiphers(),
  cipherInfo: (name: string, options?: object) => crypto.getCipherInfo(name, options),
};

export const CRYPTO_FUNCTIONS = {
  ...CIPHER_FUNCTIONS,
  digest,
  random,
  hasDigest: (algorithm: string) => hasDigest(algorithm),
  hashes: () => crypto.getHashes(),
  uuid: () => crypto.randomUUID(),
  randomInt: (low: number, high?: number) =>
    high === undefined ? crypto.randomInt(low) : crypto.randomInt(low, high),
  timingSafeEqual: (one: Buffer, other: Buffer) => crypto.timingSafeEqual(one, other),
  sign: (algorithm: string | null, data: Buffer, key: KeyArgument) =>
    crypto.sign(algorithm, data, loadPrivateKey(key)),
  verify: (algorithm: string | null, data: Buffer, key: KeyArgument, signature: Buffer) =>
    crypto.verify(algorithm, data, loadPublicKey(key), signature),
  publicEncrypt: (key: KeyArgument, data: Buffer) => crypto.publicEncrypt(loadPublicKey(key), data),
  publicDecrypt: (key: KeyArgument, data: Buffer) => crypto.publicDecrypt(loadPublicKey(key), data),
  privateEncrypt: (key: KeyArgument, data: Buffer) => crypto.privateEncrypt(loadPrivateKey(key), data),
  privateDecrypt: (key: KeyArgument, data: Buffer) => crypto.privateDecrypt(loadPrivateKey(key), data),
  diffieHellman: (options: { privateKey: crypto.KeyObject; publicKey: crypto.KeyObject }) =>
    crypto.diffieHellman(options),
  pbkdf2,
  scrypt,
  hkdf: (...args: Parameters<typeof crypto.hkdfSync>) => crypto.hkdfSync(...args),
  curves: () => crypto.getCurves(),
  cryptoConstants: () => ({ ...crypto.constants }),
  generateEcdh,
  ecdhPublicKey: (curve: string, privateKey: Buffer, format?: 'compressed') =>
    ecdhOf(curve, privateKey).getPublicKey(null as never, format),
  ecdhSecret: (curve: string, privateKey: Buffer, publicKey: Buffer) =>
    ecdhOf(curve, privateKey).computeSecret(publicKey),
};
