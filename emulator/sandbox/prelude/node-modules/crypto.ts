import { Buffer } from 'buffer';
import { createArgumentError } from '../bridge/argument-error.js';
import { callHost, callHostForBytes, toArrayBuffer } from '../bridge/host-bridge.js';
import { concatBytes } from '../web/text-encoding.js';
import { toBuffer } from './crypto/host-calls.js';
import { loadBundle } from './load-bundle.js';

/** `Hash` and `Hmac`. Collects the data and lets the host hash it in one call. */
class Digest {
  readonly #algorithm: string;
  readonly #keyLength: number | null;
  #parts: Uint8Array[];
  #done = false;

  constructor(algorithm: string, key: Uint8Array | null, parts: Uint8Array[] = []) {
    this.#algorithm = algorithm;
    this.#keyLength = key === null ? null : key.length;
    this.#parts = key ? [key, ...parts] : parts;
  }

  update(data: unknown, encoding?: string): this {
    if (this.#done)
      throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
    this.#parts.push(new Uint8Array(toBuffer(data, encoding)));
    return this;
  }

  copy(): Digest {
    const [first, ...rest] = this.#parts;
    return this.#keyLength === null
      ? new Digest(this.#algorithm, null, [...this.#parts])
      : new Digest(this.#algorithm, first ?? new Uint8Array(), rest);
  }

  digest(encoding?: string): Buffer | string {
    if (this.#done)
      throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
    this.#done = true;
    const input = { algorithm: this.#algorithm, keyLength: this.#keyLength };
    const result = Buffer.from(
      toArrayBuffer(callHostForBytes('digest', input, toArrayBuffer(concatBytes(this.#parts)))),
    );
    this.#parts = [];
    return encoding === undefined || encoding === 'buffer' ? result : result.toString(encoding as 'hex');
  }
}

function normalizeAlgorithm(name: unknown): string {
  if (typeof name !== 'string') throw createArgumentError('The "algorithm" argument must be of type string.');
  const known = name.toLowerCase();
  if (callHost('hasDigest', known)) return known;
  throw Object.assign(new Error(`Invalid digest: ${name}`), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
}

function timingSafeEqual(a: ArrayBufferView, b: ArrayBufferView): boolean {
  const [left, right] = [toBuffer(a), toBuffer(b)];
  if (left.length !== right.length) {
    const error = new RangeError('Input buffers must have the same byte length');
    throw Object.assign(error, { code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH' });
  }
  let difference = 0;
  for (let i = 0; i < left.length; i++) difference |= (left[i] ?? 0) ^ (right[i] ?? 0);
  return difference === 0;
}

type Callback<T> = (error: Error | null, value: T) => void;

function randomBytes(size: number, callback?: Callback<Buffer>): Buffer | undefined {
  const bytes = Buffer.from(toArrayBuffer(callHostForBytes('random', size)));
  if (!callback) return bytes;
  queueMicrotask(() => callback(null, bytes));
  return undefined;
}

function randomInt(low: number, high?: number): number {
  const [min, max] = high === undefined ? [0, low] : [low, high];
  const range = max - min;
  if (!(range > 0 && range <= 2 ** 48)) throw new RangeError('The value of "max" is out of range.');
  const limit = 2 ** 48 - (2 ** 48 % range);
  for (;;) {
    const value = Buffer.from(callHostForBytes('random', 6)).readUIntBE(0, 6);
    if (value < limit) return min + (value % range);
  }
}

const randomUUID = (): string => callHost('uuid', null);

function getRandomValues<T extends ArrayBufferView>(array: T): T {
  if (array.byteLength > 65_536)
    throw new DOMException('The requested length exceeds 65,536 bytes', 'QuotaExceededError');
  return randomFillSync(array);
}

function randomFillSync<T extends ArrayBufferView>(array: T): T {
  const target = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  target.set(callHostForBytes('random', array.byteLength));
  return array;
}

/** Names of `bundles/crypto-extended.ts`. */
const EXTENDED = [
  'ECDH',
  'KeyObject',
  'Sign',
  'Verify',
  'constants',
  'createCipheriv',
  'createDecipheriv',
  'createECDH',
  'createPrivateKey',
  'createPublicKey',
  'createSecretKey',
  'createSign',
  'createVerify',
  'diffieHellman',
  'generateKeyPair',
  'generateKeyPairSync',
  'getCipherInfo',
  'getCiphers',
  'getCurves',
  'hkdf',
  'hkdfSync',
  'pbkdf2',
  'pbkdf2Sync',
  'privateDecrypt',
  'privateEncrypt',
  'publicDecrypt',
  'publicEncrypt',
  'scrypt',
  'scryptSync',
  'sign',
  'verify',
] as const;

/** Functions that Node.js has and this runtime lacks. */
const UNAVAILABLE = [
  'X509Certificate',
  'checkPrime',
  'checkPrimeSync',
  'createDiffieHellman',
  'createDiffieHellmanGroup',
  'generatePrime',
  'generatePrimeSync',
  'getDiffieHellman',
] as const;

// A function of this kind, because one of them is called with `new`.
const unavailable = (name: string) =>
  function refuse(): never {
    throw new Error(`crypto.${name} is not available in this runtime. --reactor-runtime node has it.`);
  };

/** Defines properties that load a bundle when one of them is first read. */
function extend(
  target: object,
  bundle: string,
  names: readonly string[],
  require: (name: string) => unknown,
): object {
  for (const name of names) {
    Object.defineProperty(target, name, {
      get: () => Reflect.get(loadBundle(bundle, require) as object, name) as unknown,
      enumerable: true,
      configurable: true,
    });
  }
  return target;
}

export const createWebCrypto = (require: (name: string) => unknown): object =>
  extend({ getRandomValues, randomUUID }, 'subtle', ['subtle'], require);

/** Creates `require('crypto')`. */
export function createCryptoModule(require: (name: string) => unknown): object {
  const module = {
    createHash: (algorithm: unknown) => new Digest(normalizeAlgorithm(algorithm), null),
    createHmac: (algorithm: unknown, key: unknown) =>
      new Digest(normalizeAlgorithm(algorithm), new Uint8Array(toBuffer(key))),
    getHashes: () => callHost<string[]>('hashes', null),
    getRandomValues,
    randomBytes,
    randomFillSync,
    randomInt,
    randomUUID,
    timingSafeEqual,
    webcrypto: createWebCrypto(require),
    ...Object.fromEntries(UNAVAILABLE.map((name) => [name, unavailable(name)])),
  };
  extend(module, 'subtle', ['CryptoKey', 'subtle'], require);
  return extend(module, 'crypto-extended', EXTENDED, require);
}
