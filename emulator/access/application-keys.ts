import { hash } from 'node:crypto';
import type { ApplicationKeyRecord, ApplicationRecord } from '../store/records.js';

type Keys = Pick<ApplicationRecord, 'id' | 'key_hash' | 'keys' | 'created_by' | 'created_at'>;

/** Builds the record of a key, which holds what is needed to recognize it. */
export function keyRecord(
  key: string,
  values: Omit<ApplicationKeyRecord, 'hash' | 'last4'>,
): ApplicationKeyRecord {
  return { ...values, hash: hashKey(key), last4: key.slice(-4) };
}

/** Lists the keys of an application. The first one, which earlier versions gave no record, has the id of the application. */
export function keysOf({
  id,
  key_hash: hash,
  keys = [],
  created_by,
  created_at,
}: Keys): ApplicationKeyRecord[] {
  if (hash === undefined) return keys;
  const first = { id, hash, created_at, ...(created_by !== undefined && { created_by }) };
  return [first, ...keys];
}

/** Replaces the keys of an application. */
export function withKeys<Application extends ApplicationRecord>(
  { key_hash: _hash, ...application }: Application,
  keys: ApplicationKeyRecord[],
): Omit<Application, 'key_hash'> & { keys: ApplicationKeyRecord[] } {
  return { ...application, keys };
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
