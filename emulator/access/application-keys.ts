import type { ApplicationKeyRecord, ApplicationRecord } from '../store/records.js';

type Keys = Pick<ApplicationRecord, 'id' | 'key_hash' | 'keys' | 'created_by' | 'created_at'>;

/** Lists the keys of an application. The first one, which has no record of its own, has the id of the application. */
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

/** Whether a key no longer works at a time, in milliseconds since 1970. */
export function isKeyExpired({ expires_at }: Pick<ApplicationKeyRecord, 'expires_at'>, now: number): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= now;
}
