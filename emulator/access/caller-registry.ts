import type { ApplicationRecord, Stored, TenantRecord } from '../store/records.js';
import type { Store } from '../store/store.js';
import { type Access, createAccess } from './create-access.js';
import { hashKey } from './hash-key.js';

/** Who is behind a call, for `created_by` and the audit log. */
export interface Actor {
  id: string;
  type: 'application' | 'reactor';
}

/** Who calls: an application, its tenant, and what it may do. */
export interface Caller {
  tenant: Stored<TenantRecord>;
  application: Stored<ApplicationRecord>;
  access: Access;
  actor: Actor;
}

/**
 * The live tenants and applications in memory, so that no request reads them from the store. Whoever changes one in the
 * store says so here afterwards.
 */
export interface CallerRegistry {
  /** undefined for an unknown key, and for one of a deleted tenant or application. */
  findByKey(key: string): Caller | undefined;
  /** The caller that a reactor's application is. */
  findByApplication(tenantId: string, id: string): Caller | undefined;
  refreshTenant(id: string): Promise<void>;
  refreshApplication(tenantId: string, id: string): Promise<void>;
  /** Reads everything again: at the start, after a reset and after a restored snapshot. */
  load(): Promise<void>;
}

type Entry = Omit<Caller, 'tenant'>;

export function createCallerRegistry(store: Store): CallerRegistry {
  const tenants = new Map<string, Stored<TenantRecord>>();
  const applications = new Map<string, Entry>();
  const byHash = new Map<string, Entry>();

  function toCaller(entry: Entry | undefined): Caller | undefined {
    const tenant = entry && tenants.get(entry.application.tenant_id);
    if (!entry || !tenant) return undefined;
    const { application, access, actor } = entry;
    return { tenant, application, access, actor };
  }

  function put(application: Stored<ApplicationRecord>): void {
    const known = applications.get(application.id);
    // Two changes at the same time may report in either order.
    if (known && known.application.revision > application.revision) return;
    drop(application.id);
    const actor: Actor = { id: application.id, type: 'application' };
    const entry = { application, access: createAccess(application), actor };
    applications.set(application.id, entry);
    byHash.set(application.key_hash, entry);
  }

  function drop(id: string): void {
    const known = applications.get(id);
    if (known) byHash.delete(known.application.key_hash);
    applications.delete(id);
  }

  function dropTenant(id: string): void {
    tenants.delete(id);
    for (const { application } of applications.values())
      if (application.tenant_id === id) drop(application.id);
  }

  return {
    findByKey: (key) => toCaller(byHash.get(hashKey(key))),
    findByApplication(tenantId, id) {
      const entry = applications.get(id);
      return entry?.application.tenant_id === tenantId ? toCaller(entry) : undefined;
    },
    async refreshTenant(id) {
      const tenant = await store.get('tenants', id, id);
      if (!tenant) dropTenant(id);
      else if ((tenants.get(id)?.revision ?? 0) <= tenant.revision) tenants.set(id, tenant);
    },
    async refreshApplication(tenantId, id) {
      const application = await store.get('applications', tenantId, id);
      if (application) put(application);
      else drop(id);
    },
    async load() {
      const [storedTenants, storedApplications] = await Promise.all([
        store.find('tenants', {}),
        store.find('applications', {}),
      ]);
      for (const map of [tenants, applications, byHash]) map.clear();
      for (const tenant of storedTenants.records) tenants.set(tenant.id, tenant);
      for (const application of storedApplications.records) put(application);
    },
  };
}
