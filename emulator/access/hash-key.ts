import { hash } from 'node:crypto';

/**
 * Hashes an API key; only the hash is stored. Keys hold 256 random bits, so that a plain SHA-256 cannot be reversed.
 */
export function hashKey(key: string): string {
  return hash('sha256', key, 'base64url');
}
