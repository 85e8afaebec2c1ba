import { hash } from 'node:crypto';

/** The only form in which a key is stored. Keys are 256 random bits, so that a plain SHA-256 cannot be reversed. */
export function keyHash(key: string): string {
  return hash('sha256', key, 'base64url');
}
