import type { SessionRecord, Stored } from '../store/records.js';
import type { Store } from '../store/store.js';
import { Access } from './access.js';
import { hashKey } from './application-keys.js';
import type { Caller } from './caller-registry.js';

export interface SessionLookup {
  store: Pick<Store, 'get'>;
}

/** Finds the session of a key, which may have expired. */
export const findSession = (key: string, { tenant }: Caller, { store }: SessionLookup) =>
  store.get('sessions', tenant.id, hashKey(key));

/** Returns the caller that a session is: the application that opened it, with the access that the session was granted. */
export function sessionCaller(
  { tenant, actor, application }: Caller,
  session: Stored<SessionRecord>,
): Caller {
  const { permissions: _none, rules: _neither, ...rest } = application;
  const { permissions, rules } = session;
  const access = { ...(permissions && { permissions }), ...(rules && { rules }) };
  return { tenant, actor, application: { ...rest, ...access }, access: new Access(access), session };
}
