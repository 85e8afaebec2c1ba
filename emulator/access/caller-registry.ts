import pLimit from 'p-limit';
import type { TenantClocks } from '../lib/tenant-clocks.js';
import type {
  ApplicationKeyRecord,
  ApplicationRecord,
  SessionRecord,
  Stored,
  TenantRecord,
} from '../store/records.js';
import type { Store } from '../store/store.js';
import { Access } from './access.js';
import { hashKey, isKeyExpired, keysOf, openerOf } from './application-keys.js';

/** The originator of a call, recorded in `created_by` and the audit log. */
export type Actor = { id: string; type: 'application' | 'reactor' | 'proxy' };

export interface Caller {
  tenant: Stored<TenantRecord>;
  application: Stored<ApplicationRecord>;
  access: Access;
  actor: Actor;
  /** Id of the key that authenticated it; absent for a reactor or a proxy. */
  keyId?: string | undefined;
  /** Whose key authenticated it; `application` then has the access of the session. */
  session?: Stored<SessionRecord> | undefined;
}

type Entry = Omit<Caller, 'tenant' | 'keyId' | 'session'>;

type KnownKey = { entry: Entry; key: ApplicationKeyRecord };

/** Tenants and applications in memory. After a change in the store, call `refreshTenant` or `refreshApplication`. */
export class CallerRegistry {
  readonly #tenants = new Map<string, Stored<TenantRecord>>();
  readonly #applications = new Map<string, Entry>();
  readonly #byHash = new Map<string, KnownKey>();
  /** Each reads the store when the one before it is done: what was read earlier never takes the place of what was read later. */
  readonly #inOrder = pLimit(1);

  constructor(private readonly services: { store: Store; clocks: Pick<TenantClocks, 'of'> }) {}

  /** Finds the caller with an API key; undefined for an unknown or expired key, or that of a deleted tenant or application. */
  findByKey(key: string): Caller | undefined {
    const found = this.#byHash.get(hashKey(key));
    if (!found || this.#isExpired(found)) return undefined;
    return this.#callerOf(found.entry, found.key.id);
  }

  /** Finds the caller that opened the session of a key, whether or not there is one; undefined for the keys of applications. */
  findOpener(key: string): Caller | undefined {
    const entry = this.#applications.get(openerOf(key) ?? '');
    return entry && this.#callerOf(entry);
  }

  /** Returns when a key expired; undefined for a key that did not, or is unknown. */
  expiryOf(key: string): string | undefined {
    const found = this.#byHash.get(hashKey(key));
    return found && this.#isExpired(found) ? found.key.expires_at : undefined;
  }

  findByApplication(tenantId: string, id: string): Caller | undefined {
    const entry = this.#applications.get(id);
    return entry?.application.tenant_id === tenantId ? this.#callerOf(entry) : undefined;
  }

  refreshTenant(id: string): Promise<void> {
    return this.#inOrder(async () => {
      const tenant = await this.services.store.get('tenants', id, id);
      if (!tenant) this.#dropTenant(id);
      else this.#tenants.set(id, tenant);
    });
  }

  refreshApplication(tenantId: string, id: string): Promise<void> {
    return this.#inOrder(async () => {
      const application = await this.services.store.get('applications', tenantId, id);
      if (application) this.#put(application);
      else this.#drop(id);
    });
  }

  /** Loads a tenant with its applications, after it was created, reset or deleted. */
  loadTenant(tenantId: string): Promise<void> {
    const { store } = this.services;
    return this.#inOrder(async () => {
      const [tenant, { records }] = await Promise.all([
        store.get('tenants', tenantId, tenantId),
        store.find('applications', { tenantId }),
      ]);
      this.#dropTenant(tenantId);
      if (tenant) this.#tenants.set(tenantId, tenant);
      for (const application of records) this.#put(application);
    });
  }

  /** Loads all tenants and applications: at startup, after a reset and after restoring a snapshot. */
  load(): Promise<void> {
    const { store } = this.services;
    return this.#inOrder(async () => {
      const [tenants, applications] = await Promise.all([
        store.find('tenants', {}),
        store.find('applications', {}),
      ]);
      for (const map of [this.#tenants, this.#applications, this.#byHash]) map.clear();
      for (const tenant of tenants.records) this.#tenants.set(tenant.id, tenant);
      for (const application of applications.records) this.#put(application);
    });
  }

  #callerOf({ application, access, actor }: Entry, keyId?: string): Caller | undefined {
    const tenant = this.#tenants.get(application.tenant_id);
    return tenant && { tenant, application, access, actor, keyId };
  }

  #isExpired({ entry, key }: KnownKey): boolean {
    return isKeyExpired(key, this.services.clocks.of(entry.application.tenant_id).now());
  }

  #put(application: Stored<ApplicationRecord>): void {
    this.#drop(application.id);
    const actor: Actor = { id: application.id, type: 'application' };
    const entry = { application, access: new Access(application), actor };
    this.#applications.set(application.id, entry);
    for (const key of keysOf(application)) this.#byHash.set(key.hash, { entry, key });
  }

  #drop(id: string): void {
    const previous = this.#applications.get(id);
    for (const { hash } of previous ? keysOf(previous.application) : []) this.#byHash.delete(hash);
    this.#applications.delete(id);
  }

  #dropTenant(id: string): void {
    this.#tenants.delete(id);
    for (const { application } of this.#applications.values())
      if (application.tenant_id === id) this.#drop(application.id);
  }
}
