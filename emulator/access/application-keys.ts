import { hash } from 'node:crypto';
import type { ApplicationKeyRecord, ApplicationRecord } from '../store/records.js';

/** Builds the record of a key, which holds what is needed to recognize it. */
export function keyRecord(
  key: string,
  values: Omit<ApplicationKeyRecord, 'hash' | 'last4'>,
): ApplicationKeyRecord {
  return { ...values, hash: hashKey(key), last4: key.slice(-4) };
}

/** Lists the keys of an application. */
export function keysOf({ keys = [] }: Pick<ApplicationRecord, 'keys'>): ApplicationKeyRecord[] {
  return keys;
}

/** Whether a key no longer works at a time, in milliseconds since 1970. */
export function isKeyExpired({ expires_at }: Pick<ApplicationKeyRecord, 'expires_at'>, now: number): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= now;
}

/**
 * Hashes an API key; only the hash is stored. Keys hold 256 random bits, so that a plain SHA-256 cannot be reversed.
 */
export function hashKey(key: string): string {
  return hash('sha256', key, 'base64url');
}
