import { createHash, createHmac, getHashes, randomBytes, randomUUID } from 'node:crypto';
import { VisibleError } from '../../outcome.js';
import type { HostFunction } from '../services.js';

/** Bounds what one call allocates in the host, outside the memory limit of the instance. */
const MAX_RANDOM_BYTES = 64 * 1024 * 1024;

/** Tries the algorithm, which is faster than a search through `getHashes()`. */
export function hasDigest(algorithm: string): boolean {
  try {
    createHash(algorithm);
    return true;
  } catch {
    return false;
  }
}

/** Hashes `bytes`. With `keyLength`, the first `keyLength` bytes are the key of an HMAC over the rest. */
const digest: HostFunction = (input, bytes = new Uint8Array()) => {
  const { algorithm, keyLength } = input as { algorithm: string; keyLength: number | null };
  if (!hasDigest(algorithm)) throw new VisibleError('Digest method not supported');
  const hash =
    keyLength === null
      ? createHash(algorithm)
      : createHmac(algorithm, Buffer.from(bytes.subarray(0, keyLength)));
  return hash.update(bytes.subarray(keyLength ?? 0)).digest();
};

const random: HostFunction = (input) => {
  const size = Number(input);
  if (!(size >= 0 && size <= MAX_RANDOM_BYTES)) {
    throw new VisibleError(
      `The value of "size" is out of range. It must be >= 0 && <= ${MAX_RANDOM_BYTES}.`,
      'RangeError',
    );
  }
  return randomBytes(size);
};

export const CRYPTO_FUNCTIONS: Record<string, HostFunction> = {
  digest,
  random,
  hasDigest: (input) => hasDigest(String(input)),
  hashes: () => getHashes(),
  uuid: () => randomUUID(),
};
