import { Buffer } from 'buffer';
import { createArgumentError } from '../bridge/argument-error.js';
import { callHost, callHostForBytes, toArrayBuffer } from '../bridge/host-bridge.js';
import { concatBytes } from '../web/text-encoding.js';
import type { KeyObject } from './crypto/key-object.js';
import { loadBundle } from './load-bundle.js';

type Data = string | ArrayBuffer | ArrayBufferView | KeyObject;

const toBytes = (data: Data, encoding?: string): Uint8Array => {
  if (typeof data === 'string') return Buffer.from(data, encoding as 'utf8');
  if (typeof (data as Partial<KeyObject>).export === 'function')
    return (data as KeyObject).export() as Uint8Array;
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return new Uint8Array(toArrayBuffer(data));
  throw createArgumentError(
    'The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView.',
  );
};

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

  update(data: Data, encoding?: string): this {
    if (this.#done)
      throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
    this.#parts.push(toBytes(data, encoding).slice());
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
  const [left, right] = [toBytes(a), toBytes(b)];
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
  const target = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  target.set(callHostForBytes('random', array.byteLength));
  return array;
}

/** Names of `bundles/crypto-extended.ts`. */
const EXTENDED = [
  'CryptoKey',
  'ECDH',
  'KeyObject',
  'Sign',
  'Verify',
  'X509Certificate',
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
  'subtle',
  'verify',
] as const;

/** Functions that Node.js has and this runtime lacks. */
const UNAVAILABLE = [
  'checkPrime',
  'checkPrimeSync',
  'createDiffieHellman',
  'createDiffieHellmanGroup',
  'generatePrime',
  'generatePrimeSync',
  'getDiffieHellman',
] as const;

const unavailable = (name: string) => (): never => {
  throw new Error(`crypto.${name} is not available in this runtime. --reactor-runtime node has it.`);
};

/** Defines properties that load the bundle when one of them is first read. */
function extend<T extends object>(
  target: T,
  names: readonly string[],
  require: (name: string) => unknown,
): T {
  for (const name of names) {
    Object.defineProperty(target, name, {
      get: () => Reflect.get(loadBundle('crypto-extended', require) as object, name) as unknown,
      enumerable: true,
      configurable: true,
    });
  }
  return target;
}

export const createWebCrypto = (require: (name: string) => unknown): object =>
  extend({ getRandomValues, randomUUID }, ['subtle'], require);

/** Creates `require('crypto')`. */
export const createCryptoModule = (require: (name: string) => unknown): object =>
  extend(
    {
      createHash: (algorithm: unknown) => new Digest(normalizeAlgorithm(algorithm), null),
      createHmac: (algorithm: unknown, key: Data) =>
        new Digest(normalizeAlgorithm(algorithm), toBytes(key).slice()),
      getHashes: () => callHost<string[]>('hashes', null),
      getRandomValues,
      randomBytes,
      randomInt,
      randomUUID,
      timingSafeEqual,
      webcrypto: createWebCrypto(require),
      ...Object.fromEntries(UNAVAILABLE.map((name) => [name, unavailable(name)])),
    },
    EXTENDED,
    require,
  );
