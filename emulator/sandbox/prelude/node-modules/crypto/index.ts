import type { Buffer } from 'buffer';
import { callHost, concatBytes, createArgumentError, toArrayBuffer } from '../../bridge/host.js';
import { toBuffer, toEncoding } from '../buffer.js';
import { Cipher } from './cipher.js';
import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  ECDH,
  generateKeyPairSync,
  KeyObject,
  Sign,
  Verify,
} from './keys.js';

/** `Hash` and `Hmac`. Collects the data and lets the host hash it in one call. */
class Digest {
  readonly #algorithm: string;
  /** Of an HMAC. */
  readonly #key: Uint8Array | null;
  readonly #parts: Uint8Array[];
  #done = false;

  constructor(algorithm: string, key: Uint8Array | null, parts: Uint8Array[] = []) {
    this.#algorithm = algorithm;
    this.#key = key;
    this.#parts = parts;
  }

  update(data: unknown, encoding?: string): this {
    this.#assertNotDone();
    this.#parts.push(new Uint8Array(toBuffer(data, encoding)));
    return this;
  }

  copy(): Digest {
    return new Digest(this.#algorithm, this.#key, [...this.#parts]);
  }

  digest(encoding?: string): Buffer | string {
    this.#assertNotDone();
    this.#done = true;
    return toEncoding(callHost('digest', this.#algorithm, this.#key, concatBytes(this.#parts)), encoding);
  }

  #assertNotDone(): void {
    if (this.#done)
      throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
  }
}

function normalizeAlgorithm(name: unknown): string {
  if (typeof name !== 'string') throw createArgumentError('The "algorithm" argument must be of type string.');
  const known = name.toLowerCase();
  if (callHost('hasDigest', known)) return known;
  throw Object.assign(new Error(`Invalid digest: ${name}`), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
}

function randomBytes(size: number, callback?: (error: null, bytes: Buffer) => void): Buffer | undefined {
  const bytes = callHost<Buffer>('random', size);
  if (!callback) return bytes;
  queueMicrotask(() => callback(null, bytes));
  return undefined;
}

function getRandomValues<T extends ArrayBufferView>(array: T): T {
  if (array.byteLength > 65_536)
    throw new DOMException('The requested length exceeds 65,536 bytes', 'QuotaExceededError');
  return randomFillSync(array);
}

function randomFillSync<T extends ArrayBufferView>(array: T): T {
  const target = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  target.set(callHost<Buffer>('random', array.byteLength));
  return array;
}

const randomUUID = (): string => callHost('uuid');

/** Passes a call on to the host. @param data positions of arguments that may be long texts, which pass as bytes */
const fromHost =
  <T = Buffer>(name: string, ...data: number[]) =>
  (...args: unknown[]): T =>
    callHost(
      name,
      ...args.map((value, at) => (typeof value === 'string' && data.includes(at) ? toBuffer(value) : value)),
    );

const pbkdf2Sync = fromHost('pbkdf2', 0, 1);
const scryptSync = fromHost('scrypt', 0, 1);
const hkdf = fromHost('hkdf', 1, 2, 3);
const hkdfSync = (...args: unknown[]): ArrayBuffer => toArrayBuffer(hkdf(...args));

/** Offers a function that computes at once with a callback as well, as its last argument. */
const withCallback =
  <T>(compute: (...args: never[]) => T) =>
  (...args: unknown[]): void => {
    const callback = args.pop();
    if (typeof callback !== 'function')
      throw createArgumentError('The "callback" argument must be of type function.');
    let results: unknown[];
    try {
      const result = compute(...(args as never[]));
      results = [null, ...(Array.isArray(result) ? (result as unknown[]) : [result])];
    } catch (error) {
      // Invalid arguments are thrown, other failures passed on.
      if ((error as { code?: string }).code?.startsWith('ERR_INVALID_ARG')) throw error;
      results = [error];
    }
    setImmediate(() => Reflect.apply(callback, undefined, results));
  };

const generateKeyPair = Object.assign(
  withCallback((...args: Parameters<typeof generateKeyPairSync>) => {
    const { publicKey, privateKey } = generateKeyPairSync(...args);
    return [publicKey, privateKey];
  }),
  {
    [Symbol.for('nodejs.util.promisify.custom')]: async (...args: Parameters<typeof generateKeyPairSync>) =>
      generateKeyPairSync(...args),
  },
);

/** Functions that Node.js has and this runtime lacks. */
const UNAVAILABLE = [
  ...['X509Certificate', 'checkPrime', 'checkPrimeSync', 'createDiffieHellman', 'createDiffieHellmanGroup'],
  ...['generatePrime', 'generatePrimeSync', 'getDiffieHellman'],
];

// A function of this kind, because one of them is called with `new`.
const unavailable = (name: string) =>
  function refuse(): never {
    throw new Error(`crypto.${name} is not available in this runtime. --reactor-runtime node has it.`);
  };

/** The part of the global `crypto` that needs no package. */
export const random = { getRandomValues, randomUUID };

/** `require('crypto')`, without `subtle` and what belongs to it: that is built on this. */
export default {
  ...random,
  ECDH,
  KeyObject,
  Sign,
  Verify,
  constants: callHost<Record<string, number>>('cryptoConstants'),
  // Functions of this kind, because packages also call them with `new`.
  createCipheriv: function createCipheriv(...args: unknown[]): Cipher {
    return new Cipher('encrypt', ...args);
  },
  createDecipheriv: function createDecipheriv(...args: unknown[]): Cipher {
    return new Cipher('decrypt', ...args);
  },
  createECDH: (curve: string) => new ECDH(curve),
  createHash: (algorithm: unknown) => new Digest(normalizeAlgorithm(algorithm), null),
  // A copy: code may wipe its key.
  createHmac: (algorithm: unknown, key: unknown) =>
    new Digest(normalizeAlgorithm(algorithm), Uint8Array.from(toBuffer(key))),
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  createSign: (algorithm: string) => new Sign(algorithm),
  createVerify: (algorithm: string) => new Verify(algorithm),
  diffieHellman: fromHost('diffieHellman'),
  generateKeyPair,
  generateKeyPairSync,
  getCipherInfo: (...args: unknown[]) => callHost<object | null>('cipherInfo', ...args) ?? undefined,
  getCiphers: fromHost<string[]>('ciphers'),
  getCurves: fromHost<string[]>('curves'),
  getHashes: fromHost<string[]>('hashes'),
  hkdf: withCallback(hkdfSync),
  hkdfSync,
  pbkdf2: withCallback(pbkdf2Sync),
  pbkdf2Sync,
  privateDecrypt: fromHost('privateDecrypt'),
  privateEncrypt: fromHost('privateEncrypt'),
  publicDecrypt: fromHost('publicDecrypt'),
  publicEncrypt: fromHost('publicEncrypt'),
  randomBytes,
  randomFillSync,
  randomInt: fromHost<number>('randomInt'),
  scrypt: withCallback(scryptSync),
  scryptSync,
  sign: fromHost('sign', 1),
  timingSafeEqual: fromHost<boolean>('timingSafeEqual'),
  verify: fromHost<boolean>('verify', 1),
  ...Object.fromEntries(UNAVAILABLE.map((name) => [name, unavailable(name)])),
};
