import { hash } from 'node:crypto';
import { LruCache } from '../lib/lru.js';

/** Of the keys that callers sent lately, in memory alone: every request brings one. */
const known = new LruCache<string>(100);

/** The only form in which a key is stored. Keys are 256 random bits, so that a plain SHA-256 cannot be reversed. */
export function keyHash(key: string): string {
  return known.getOrCreate(key, () => hash('sha256', key, 'base64url'));
}
