import type { KeyObject, ScryptOptions } from 'node:crypto';
import { VisibleError } from '../../outcome.js';

// Nothing can stop a native function, so what a call would cost is known before it starts. Each limit is about a second.

const MAX_ITERATIONS = 2_000_000;
/** N × r × p of scrypt. */
const MAX_SCRYPT_COST = 2 ** 21;
const MAX_SCRYPT_BYTES = 72 * 1024 * 1024;
const MAX_PRIVATE_KEY_BITS = 8_192;
/** Of DER, in which an RSA key of `MAX_PRIVATE_KEY_BITS` has 4.7 KB. The public part of a DSA or DH key is computed from all of it. */
const MAX_PRIVATE_KEY_BYTES = 6_144;
const MAX_GENERATED_KEY_BITS = 4_096;
const HASH_BLOCK_BYTES = 64;
const SMALLEST_DIGEST_BYTES = 16;

function assertAtMost(value: number, limit: number, name: string): void {
  if (!(value <= limit))
    throw new VisibleError(
      `A call of a reactor may use a ${name} of at most ${limit}, not ${value}.`,
      'RangeError',
      'ERR_OUT_OF_RANGE',
    );
}

/** @param digestBytes length of the digest; the smallest one if it is not known */
export function chargePbkdf2(
  iterations: number,
  keyBytes: number,
  saltBytes: number,
  digestBytes = SMALLEST_DIGEST_BYTES,
): void {
  const blocks = Math.max(1, Math.ceil(keyBytes / digestBytes));
  assertAtMost(
    blocks * (iterations + saltBytes / HASH_BLOCK_BYTES),
    MAX_ITERATIONS,
    'number of iterations times blocks',
  );
}

/** @returns the options with a bounded `maxmem` */
export function chargeScrypt(keyBytes: number, saltBytes: number, options: ScryptOptions): ScryptOptions {
  const {
    N = options.cost ?? 16_384,
    r = options.blockSize ?? 8,
    p = options.parallelization ?? 1,
  } = options;
  assertAtMost(N * r * p, MAX_SCRYPT_COST, 'cost (N × r × p)');
  chargePbkdf2(1, keyBytes + 128 * r * p, saltBytes, 32);
  return { ...options, maxmem: Math.min(options.maxmem ?? 32 * 1024 * 1024, MAX_SCRYPT_BYTES) };
}

export function chargePrivateKey({ asymmetricKeyDetails }: KeyObject): void {
  assertAtMost(asymmetricKeyDetails?.modulusLength ?? 0, MAX_PRIVATE_KEY_BITS, 'key length in bits');
}

export const chargeKeyGeneration = (modulusBits = 0): void =>
  assertAtMost(modulusBits, MAX_GENERATED_KEY_BITS, 'key length in bits');

export const chargePrivateKeyBytes = (der: Uint8Array): void =>
  assertAtMost(der.length, MAX_PRIVATE_KEY_BYTES, 'key length in bytes');

/** Checks the length of each private key of a text, and of the text: decoders disagree on where Base64 ends. */
export function chargePrivateKeyImport(key: string | Uint8Array): void {
  const text = Buffer.from(key as Uint8Array).toString('latin1');
  const lengths = text.includes('-----BEGIN')
    ? [...text.matchAll(/-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)-----END/gs)].map(
        ([, base64 = '']) => (base64.length * 3) / 4,
      )
    : [text.length];
  for (const length of lengths) assertAtMost(length, MAX_PRIVATE_KEY_BYTES, 'key length in bytes');
}

/** Checks the derivation that an encrypted PKCS #8 key, PEM or DER, asks for: its author chose the iterations. */
export function chargeEncryptedKey(key: string | Uint8Array): void {
  const text = Buffer.from(key as Uint8Array).toString('latin1');
  const encrypted = text.matchAll(/-----BEGIN ENCRYPTED PRIVATE KEY-----([^-]*)/g);
  const blocks = text.includes('-----BEGIN')
    ? [...encrypted].map(([, base64 = '']) => Buffer.from(base64, 'base64'))
    : [Buffer.from(text, 'latin1')];
  for (const integer of blocks.flatMap((der) => [...integersIn(der)]))
    assertAtMost(integer, MAX_ITERATIONS, 'number of iterations');
}

const INTEGER = 0x02;
const CONSTRUCTED = 0x20;

/** Lists the integers of DER. @throws VisibleError for anything but DER, which OpenSSL might still read */
function* integersIn(der: Buffer): Iterable<number> {
  for (let at = 0; at < der.length; ) {
    const tag = der[at] ?? 0;
    const { start, length } = readLength(der, at + 1);
    const content = der.subarray(start, start + length);
    if (content.length !== length) throw new VisibleError('The encrypted key is not DER.', 'Error');
    if (tag === INTEGER) yield Number(`0x${content.toString('hex') || '0'}`);
    else if (tag & CONSTRUCTED) yield* integersIn(content);
    at = start + length;
  }
}

function readLength(der: Buffer, at: number): { start: number; length: number } {
  const first = der[at] ?? 0x80;
  if (first < 0x80) return { start: at + 1, length: first };
  const bytes = first & 0x7f;
  if (bytes === 0 || bytes > 4) throw new VisibleError('The encrypted key is not DER.', 'Error');
  return { start: at + 1 + bytes, length: der.subarray(at + 1, at + 1 + bytes).readUIntBE(0, bytes) };
}
