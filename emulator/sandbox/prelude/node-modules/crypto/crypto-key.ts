import { type Algorithm, attempt, CURVES, failure, hashOf, normalize } from './algorithms.js';
import { toBuffer } from './host-calls.js';
import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
} from './key-object.js';

/** Returns the key behind a `CryptoKey`, which code cannot read. Set by the class itself. */
export let keyObjectOf: (key: CryptoKey) => KeyObject;

/** `CryptoKey` of the Web Crypto API. */
export class CryptoKey {
  readonly type: KeyObject['type'];
  readonly extractable: boolean;
  readonly algorithm: Algorithm;
  readonly usages: string[];
  readonly #key: KeyObject;

  constructor(key: KeyObject, algorithm: Algorithm, extractable: boolean, usages: readonly string[]) {
    this.#key = key;
    this.type = key.type;
    this.algorithm = algorithm;
    this.extractable = extractable;
    this.usages = [...usages];
  }

  static {
    keyObjectOf = (key) => key.#key;
  }

  get [Symbol.toStringTag](): string {
    return 'CryptoKey';
  }
}

/** Checks that a key may be used so. @throws DOMException InvalidAccessError */
export function useKey(key: CryptoKey, { name }: Algorithm, usage: string): KeyObject {
  if (key.algorithm.name !== name) throw failure('InvalidAccessError', 'Key algorithm mismatch');
  if (!key.usages.includes(usage)) throw failure('InvalidAccessError', `Unable to use this key to ${usage}`);
  return keyObjectOf(key);
}

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

type Jwk = Record<string, unknown>;

const isSecret = ({ name }: Algorithm): boolean => /^(AES|HMAC|HKDF|PBKDF2)/.test(name);

/** Creates a key from one of the formats of `importKey`. @throws DOMException DataError */
function parseKey(format: string, data: unknown, algorithm: Algorithm): KeyObject {
  try {
    if (format === 'jwk') return parseJwk(data as Jwk, algorithm);
    const bytes = toBuffer(data);
    if (format === 'raw') return isSecret(algorithm) ? createSecretKey(bytes) : parsePoint(bytes, algorithm);
    if (format === 'spki') return createPublicKey({ key: bytes, format: 'der', type: 'spki' });
    if (format === 'pkcs8') return createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  } catch (error) {
    throw error instanceof DOMException ? error : failure('DataError', 'Invalid keyData');
  }
  throw failure('NotSupportedError', `Unable to import a key of format ${format}`);
}

function parseJwk(jwk: Jwk, algorithm: Algorithm): KeyObject {
  if (isSecret(algorithm)) return createSecretKey(Buffer.from(String(jwk.k), 'base64url'));
  return 'd' in jwk
    ? createPrivateKey({ key: jwk, format: 'jwk' })
    : createPublicKey({ key: jwk, format: 'jwk' });
}

/** Public keys on curves in the raw format: a point, or one coordinate. */
function parsePoint(bytes: Buffer, { name, namedCurve }: Algorithm): KeyObject {
  if (name === 'Ed25519' || name === 'X25519')
    return createPublicKey({ key: { kty: 'OKP', crv: name, x: bytes.toString('base64url') }, format: 'jwk' });
  if (typeof namedCurve !== 'string' || bytes[0] !== 4) throw failure('DataError', 'Invalid keyData');
  const middle = (bytes.length + 1) / 2;
  const [x, y] = [bytes.subarray(1, middle), bytes.subarray(middle)].map((part) =>
    part.toString('base64url'),
  );
  return createPublicKey({ key: { kty: 'EC', crv: namedCurve, x, y }, format: 'jwk' });
}

/** Exports a key that may be exported. */
export function formatKey(format: string, key: CryptoKey): ArrayBuffer | Jwk {
  if (!key.extractable) throw failure('InvalidAccessError', 'key is not extractable');
  const object = keyObjectOf(key);
  if (format === 'jwk') {
    const jwk = object.export({ format: 'jwk' }) as Jwk;
    const alg = jwkAlgorithm(key.algorithm);
    return { ...jwk, ...(alg !== undefined && { alg }), key_ops: key.usages, ext: true };
  }
  if (format === 'raw') return toArrayBuffer(rawBytes(object));
  const type = key.type === 'private' ? 'pkcs8' : 'spki';
  if (key.type === 'secret' || format !== type)
    throw failure('NotSupportedError', `Unable to export a key of format ${format}`);
  return toArrayBuffer(object.export({ format: 'der', type }) as Buffer);
}

function rawBytes(key: KeyObject): Buffer {
  if (key.type === 'secret') return key.export() as Buffer;
  const { x, y } = key.export({ format: 'jwk' }) as Record<string, string>;
  const coordinate = (text: string | undefined) => Buffer.from(text ?? '', 'base64url');
  return y === undefined ? coordinate(x) : Buffer.concat([Buffer.from([4]), coordinate(x), coordinate(y)]);
}

function jwkAlgorithm(algorithm: Algorithm): string | undefined {
  const { name, length } = algorithm;
  const bits = String((algorithm.hash as { name?: string } | undefined)?.name ?? '').replace('SHA-', '');
  if (name === 'HMAC') return `HS${bits}`;
  if (name.startsWith('AES-')) return `A${String(length)}${name.slice(4)}`;
  if (name === 'RSASSA-PKCS1-v1_5') return `RS${bits}`;
  if (name === 'RSA-PSS') return `PS${bits}`;
  return name === 'RSA-OAEP' ? (bits === '1' ? 'RSA-OAEP' : `RSA-OAEP-${bits}`) : undefined;
}

/** Completes the algorithm of a key with what the key itself says. */
function describeAlgorithm(algorithm: Algorithm, key: KeyObject): Algorithm {
  const { name, hash, namedCurve } = algorithm;
  if (name.startsWith('AES-')) return { name, length: (key.symmetricKeySize ?? 0) * 8 };
  if (name === 'HMAC') return { ...(hash && { hash }), length: (key.symmetricKeySize ?? 0) * 8, name };
  if (name.startsWith('RSA')) {
    const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {};
    const hex = BigInt((publicExponent as bigint | undefined) ?? 65_537n).toString(16);
    const exponent = new Uint8Array(Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'));
    return { name, modulusLength, publicExponent: exponent, ...(hash && { hash }) };
  }
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (namedCurve === undefined) return { name };
  if (curve !== CURVES[String(namedCurve)]) throw failure('DataError', 'Named curve mismatch');
  return { name, namedCurve };
}

export const toArrayBuffer = (bytes: Uint8Array): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
