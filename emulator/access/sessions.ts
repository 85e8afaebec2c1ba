import type { SessionRecord, Stored } from '../store/records.js';
import type { Store } from '../store/store.js';
import { Access } from './access.js';
import { hashKey } from './application-keys.js';
import type { Caller, CallerRegistry } from './caller-registry.js';

export type SessionLookup = { store: Pick<Store, 'get'> };

export const findSession = (key: string, { tenant }: Caller, { store }: SessionLookup) =>
  store.get('sessions', tenant.id, hashKey(key));

/** Returns the caller that a session is: its opener, with the access granted while its authorizer holds all of it. */
export function sessionCaller(
  { tenant, actor, application }: Caller,
  { authorized_by, permissions, rules, ...opened }: Stored<SessionRecord>,
  callers: Pick<CallerRegistry, 'findByApplication'>,
): Caller {
  const { permissions: _none, rules: _neither, ...rest } = application;
  const controls = { ...(permissions && { permissions }), ...(rules && { rules }) };
  const access = new Access(controls);
  const authorizer = callers.findByApplication(tenant.id, authorized_by ?? '');
  const caller = { tenant, actor, application: rest, access: new Access({}), session: opened };
  if (!authorizer || authorizer.access.findExcess(access)) return caller;
  const session = { ...opened, authorized_by: authorizer.application.id };
  return { ...caller, application: { ...rest, ...controls }, access, session };
}
