import { toBuffer } from './host-calls.js';

/** An algorithm of the Web Crypto API as code names it. */
export interface Algorithm {
  name: string;
  hash?: string | { name: string };
  [option: string]: unknown;
}

const NAMES = [
  'AES-CBC',
  'AES-CTR',
  'AES-GCM',
  'AES-KW',
  'ECDH',
  'ECDSA',
  'Ed25519',
  'HKDF',
  'HMAC',
  'PBKDF2',
  'RSA-OAEP',
  'RSA-PSS',
  'RSASSA-PKCS1-v1_5',
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'X25519',
];

export const failure = (name: string, message: string): DOMException => new DOMException(message, name);

/** Returns an algorithm with its standard name. @throws DOMException NotSupportedError */
export function normalize(given: unknown): Algorithm {
  const algorithm = typeof given === 'string' ? { name: given } : { ...(given as Algorithm) };
  const name = NAMES.find((known) => known.toLowerCase() === String(algorithm.name).toLowerCase());
  if (name === undefined) throw failure('NotSupportedError', 'Unrecognized algorithm name');
  return { ...algorithm, name, ...(algorithm.hash !== undefined && { hash: normalize(algorithm.hash) }) };
}

/** Returns the name that OpenSSL has for the hash of an algorithm: `sha256` for `SHA-256`. */
export function hashOf({ hash }: Algorithm): string {
  const name = typeof hash === 'string' ? hash : hash?.name;
  if (!name || !/^SHA-/i.test(name)) throw failure('NotSupportedError', 'Unrecognized algorithm name');
  return name.replace('-', '').toLowerCase();
}

/** Returns an option that holds bytes. */
export function bytesOf(algorithm: Algorithm, option: string): Buffer {
  const value = algorithm[option];
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return toBuffer(value);
  throw new TypeError(`The algorithm needs "${option}".`);
}

export const CURVES: Readonly<Record<string, string>> = {
  'P-256': 'prime256v1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
};

/** Runs an operation whose failure says nothing of the reason (Web Crypto API, OperationError). */
export function attempt<T>(operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    if (error instanceof DOMException || error instanceof RangeError) throw error;
    throw failure('OperationError', 'The operation failed for an operation-specific reason');
  }
}
