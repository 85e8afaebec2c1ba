import pLimit from 'p-limit';
import type { TenantClocks } from '../lib/tenant-clocks.js';
import type { ApplicationKeyRecord, ApplicationRecord, Stored, TenantRecord } from '../store/records.js';
import type { Store } from '../store/store.js';
import { hashKey, isKeyExpired, keysOf } from './application-keys.js';
import { type Access, createAccess } from './create-access.js';

/** The originator of a call, recorded in `created_by` and the audit log. */
export interface Actor {
  id: string;
  type: 'application' | 'reactor' | 'proxy';
}

/** An authenticated application with its tenant and permissions. */
export interface Caller {
  tenant: Stored<TenantRecord>;
  application: Stored<ApplicationRecord>;
  access: Access;
  actor: Actor;
  /** Id of the key that authenticated it; absent for a reactor or a proxy. */
  keyId?: string;
}

/**
 * Holds all tenants and applications in memory, so that authenticating a request does not read the store. After a change
 * of a tenant or an application in the store, call `refreshTenant` or `refreshApplication`.
 */
export interface CallerRegistry {
  /** Finds the caller with an API key; undefined for an unknown or expired key, or that of a deleted tenant or application. */
  findByKey(key: string): Caller | undefined;
  /** Returns when a key expired; undefined for a key that did not, or is unknown. */
  expiryOf(key: string): string | undefined;
  /** Finds the caller that a reactor acts as. */
  findByApplication(tenantId: string, id: string): Caller | undefined;
  refreshTenant(id: string): Promise<void>;
  refreshApplication(tenantId: string, id: string): Promise<void>;
  /** Loads a tenant with its applications, after it was created, reset or deleted. */
  loadTenant(id: string): Promise<void>;
  /** Loads all tenants and applications: at startup, after a reset and after restoring a snapshot. */
  load(): Promise<void>;
}

type Entry = Omit<Caller, 'tenant' | 'keyId'>;

interface Services {
  store: Store;
  clocks: Pick<TenantClocks, 'of'>;
}

export function createCallerRegistry({ store, clocks }: Services): CallerRegistry {
  const tenants = new Map<string, Stored<TenantRecord>>();
  const applications = new Map<string, Entry>();
  const byHash = new Map<string, { entry: Entry; key: ApplicationKeyRecord }>();
  /** Each reads the store when the one before it is done: what was read earlier never takes the place of what was read later. */
  const inOrder = pLimit(1);

  function toCaller(entry: Entry | undefined): Caller | undefined {
    const tenant = entry && tenants.get(entry.application.tenant_id);
    if (!entry || !tenant) return undefined;
    const { application, access, actor } = entry;
    return { tenant, application, access, actor };
  }

  function put(application: Stored<ApplicationRecord>): void {
    drop(application.id);
    const actor: Actor = { id: application.id, type: 'application' };
    const entry = { application, access: createAccess(application), actor };
    applications.set(application.id, entry);
    for (const key of keysOf(application)) byHash.set(key.hash, { entry, key });
  }

  function drop(id: string): void {
    const previous = applications.get(id);
    for (const { hash } of previous ? keysOf(previous.application) : []) byHash.delete(hash);
    applications.delete(id);
  }

  function dropTenant(id: string): void {
    tenants.delete(id);
    for (const { application } of applications.values())
      if (application.tenant_id === id) drop(application.id);
  }

  const isExpired = ({ entry, key }: { entry: Entry; key: ApplicationKeyRecord }): boolean =>
    isKeyExpired(key, clocks.of(entry.application.tenant_id).now());

  return {
    findByKey(key) {
      const found = byHash.get(hashKey(key));
      if (!found || isExpired(found)) return undefined;
      const caller = toCaller(found.entry);
      return caller && { ...caller, keyId: found.key.id };
    },
    expiryOf(key) {
      const found = byHash.get(hashKey(key));
      return found && isExpired(found) ? found.key.expires_at : undefined;
    },
    findByApplication(tenantId, id) {
      const entry = applications.get(id);
      return entry?.application.tenant_id === tenantId ? toCaller(entry) : undefined;
    },
    refreshTenant: (id) =>
      inOrder(async () => {
        const tenant = await store.get('tenants', id, id);
        if (!tenant) dropTenant(id);
        else tenants.set(id, tenant);
      }),
    refreshApplication: (tenantId, id) =>
      inOrder(async () => {
        const application = await store.get('applications', tenantId, id);
        if (application) put(application);
        else drop(id);
      }),
    loadTenant: (id) =>
      inOrder(async () => {
        const [tenant, found] = await Promise.all([
          store.get('tenants', id, id),
          store.find('applications', { tenantId: id }),
        ]);
        dropTenant(id);
        if (tenant) tenants.set(id, tenant);
        for (const application of found.records) put(application);
      }),
    load: () =>
      inOrder(async () => {
        const [storedTenants, storedApplications] = await Promise.all([
          store.find('tenants', {}),
          store.find('applications', {}),
        ]);
        for (const map of [tenants, applications, byHash]) map.clear();
        for (const tenant of storedTenants.records) tenants.set(tenant.id, tenant);
        for (const application of storedApplications.records) put(application);
      }),
  };
}
