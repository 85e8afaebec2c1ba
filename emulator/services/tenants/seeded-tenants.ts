import { APPLICATION_TYPES, type ApplicationType } from '../../../src/contract/application-types.js';
import type {
  Credentials,
  PerApplication,
  WorkingCredentials,
} from '../../../src/contract/control/state-file.js';
import type { CallerRegistry } from '../../access/caller-registry.js';
import type { ApplicationRecord, TenantRecord } from '../../store/records.js';
import type { Change, Insert, Remove, Store } from '../../store/store.js';
import { copyTenant } from './copy-tenant.js';
import { type RestoreServices, restoreApplications } from './restore-applications.js';
import {
  type AccessByName,
  type SeededTenant,
  seedTenant,
  settingId,
  type TenantOptions,
} from './seed-tenant.js';
import { SeededCredentials } from './seeded-credentials.js';

interface SeededTenantsServices extends RestoreServices {
  callers: Pick<CallerRegistry, 'expiryOf' | 'findByKey' | 'load' | 'loadTenant'>;
}

type PrintedKeys = WorkingCredentials['keys'];

interface SeededTenantsOptions {
  /** Credentials saved by an earlier start. A tenant that is created again takes them over. */
  known: readonly WorkingCredentials[];
  /** Fixed keys for a fresh data directory. */
  keys: Partial<PerApplication>;
  /** Access of the seeded applications of further tenants. Default: the usual one. */
  access?: AccessByName | undefined;
  save(credentials: readonly WorkingCredentials[]): Promise<void>;
}

type TenantContent = { tenantId: string; content: Pick<Store, 'find' | 'get'> };

const FIRST_TENANT_NAME = 'Emulator';

/** The tenants that the emulator created, whose API keys stay printable; cli.md, "emulator start". */
export class SeededTenants {
  readonly credentials: SeededCredentials;

  constructor(
    private readonly services: SeededTenantsServices,
    private readonly options: SeededTenantsOptions,
  ) {
    this.credentials = new SeededCredentials({ ...services, ...options });
  }

  /** Creates a tenant, with the content of another one if `from` is given. @returns undefined if that does not exist */
  async add(name: string, from?: TenantContent): Promise<Credentials | undefined> {
    const seed = seedTenant({ name, access: this.options.access }, this.services);
    const changes = from === undefined ? seed.changes : await this.#copy(from, seed);
    if (!changes) return undefined;
    await this.services.store.commit(changes);
    await this.credentials.change((known) => [...known, seed.credentials], seed.credentials.tenant_id);
    return seed.credentials;
  }

  async #copy(
    { tenantId, content: store }: TenantContent,
    { credentials, changes, applications }: SeededTenant,
  ): Promise<Insert[] | undefined> {
    const { store: current, ids } = this.services;
    if (!(await current.get('tenants', tenantId, tenantId))) return undefined;
    const source = {
      tenantId,
      applications: (await this.#applicationsOf(tenantId)) ?? (await this.#adopt(tenantId)),
    };
    const target = { tenantId: credentials.tenant_id, applications };
    return copyTenant(source, target, changes, { store, ids });
  }

  /** Updates the printed key after an application got a new one. Does nothing for an application that was not seeded. */
  async recordNewKey({ id, tenant_id, type }: ApplicationRecord, key: string): Promise<void> {
    if ((await this.#applicationsOf(tenant_id))?.[type] === id)
      await this.#change(tenant_id, (keys) => ({ ...keys, [type]: key }));
  }

  /** Stops printing the key of a seeded application that was deleted, or whose key was. */
  async dropEndedKey({ tenant_id, type }: ApplicationRecord): Promise<void> {
    const key = this.credentials.find(tenant_id)?.keys[type];
    if (key !== undefined && !this.services.callers.findByKey(key))
      await this.#change(tenant_id, ({ [type]: _ended, ...keys }) => keys);
  }

  async dropExpiredKeys(): Promise<void> {
    const { callers } = this.services;
    for (const { tenant_id, keys } of this.credentials.list()) {
      const valid = (known: PrintedKeys) =>
        Object.fromEntries(
          Object.entries(known).filter(([, key]) => key !== undefined && callers.expiryOf(key) === undefined),
        );
      if (Object.keys(valid(keys)).length < Object.keys(keys).length) await this.#change(tenant_id, valid);
    }
  }

  /** Returns the changes to commit with the deletion of a tenant. Call `credentials.drop` after the commit. */
  async deletionChanges(tenantId: string): Promise<Remove[]> {
    // An imported tenant may have no such setting.
    const applications = await this.#applicationsOf(tenantId);
    return applications ? [{ remove: 'settings', tenantId: '', id: settingId(tenantId) }] : [];
  }

  /** Deletes everything and creates the first tenant again, with the same id and keys. */
  async reset(): Promise<void> {
    await this.#seedFirst([{ clear: 'everything' }]);
  }

  /** Deletes all of a tenant and creates it again, with name, id and keys. @throws ConflictError it has been deleted */
  async resetTenant({ id: tenantId, name }: TenantRecord): Promise<void> {
    const known = this.credentials.find(tenantId);
    const { access } = this.options;
    const seed = seedTenant({ name, tenantId, access, ...(known && optionsFrom(known)) }, this.services);
    const before: Change[] = [
      { require: 'tenants', tenantId },
      { clear: 'tenant', tenantId },
      ...(await this.deletionChanges(tenantId)),
    ];
    await this.services.store.commit([...before, ...seed.changes]);
    await this.#change(tenantId, () => seed.credentials.keys);
  }

  /** Makes a restored tenant match its printed keys. */
  async reconcileTenant(tenantId: string): Promise<void> {
    const tenant = await this.services.store.get('tenants', tenantId, tenantId);
    if (!tenant) return;
    const { keys } = await this.#assignCredentials(tenant, [], false);
    await this.#change(tenantId, () => keys);
  }

  /** Makes tenants match the printed keys, and creates the first. @param trustKnown other processes use the known keys */
  async reconcile({ trustKnown = false } = {}): Promise<void> {
    const { records } = await this.services.store.find('tenants', {});
    // Nothing is cleared here: a repair may have lost the tenants and kept their tokens.
    const known = this.credentials.list();
    if (records.length === 0) {
      const stale = await Promise.all(known.map(({ tenant_id }) => this.deletionChanges(tenant_id)));
      return this.#seedFirst(stale.flat());
    }
    const tenants = records.reverse();
    const unused = known.filter(({ tenant_id }) => !tenants.some(({ id }) => id === tenant_id));
    const assigned: Credentials[] = [];
    for (const tenant of tenants) assigned.push(await this.#assignCredentials(tenant, unused, trustKnown));
    await this.credentials.change(() => assigned);
  }

  /** Reuses the known id and keys, so that stored tokens of the first tenant belong to it again. */
  async #seedFirst(before: Change[]): Promise<void> {
    const [first] = this.credentials.list();
    const options: TenantOptions = {
      name: FIRST_TENANT_NAME,
      ...(first && optionsFrom(first)),
      keys: { ...this.options.keys, ...first?.keys },
    };
    const seed = seedTenant(options, this.services);
    await this.services.store.commit([...before, ...seed.changes]);
    await this.credentials.change(() => [seed.credentials]);
  }

  /** Assigns a tenant its known keys, else those of one that is gone, else new ones. Every key works afterwards. */
  async #assignCredentials(tenant: TenantRecord, unused: WorkingCredentials[], trustKnown: boolean) {
    const own = this.credentials.find(tenant.id);
    const known = own ?? unused.shift();
    const { access, keys: fixed } = this.options;
    const keys = await restoreApplications(
      tenant,
      {
        keys: known?.keys,
        applications: (await this.#applicationsOf(tenant.id)) ?? (await this.#adopt(tenant.id)),
        isTrusted: trustKnown && own !== undefined,
      },
      tenant.name === FIRST_TENANT_NAME ? { keys: fixed } : { keys: {}, access },
      this.services,
    );
    return { tenant_id: tenant.id, keys, webhook_secret: tenant.webhook_secret };
  }

  async #change(tenantId: string, change: (keys: PrintedKeys) => PrintedKeys): Promise<void> {
    await this.credentials.change(
      (known) => known.map((one) => (one.tenant_id === tenantId ? { ...one, keys: change(one.keys) } : one)),
      tenantId,
    );
  }

  /** Remembers as seeded the applications of an imported tenant that are named like them. */
  async #adopt(tenantId: string): Promise<PerApplication> {
    const { store, ids } = this.services;
    const { records } = await store.find('applications', { tenantId });
    const idOf = (type: ApplicationType) =>
      records.find((one) => one.name === type && one.type === type)?.id ?? ids.uuid();
    const value = Object.fromEntries(APPLICATION_TYPES.map((type) => [type, idOf(type)])) as PerApplication;
    await store.commit([{ insert: 'settings', record: { id: settingId(tenantId), value } }]);
    return value;
  }

  async #applicationsOf(tenantId: string): Promise<PerApplication | undefined> {
    const setting = await this.services.store.get('settings', '', settingId(tenantId));
    return setting?.value as PerApplication | undefined;
  }
}

function optionsFrom(credentials: WorkingCredentials): Partial<TenantOptions> {
  const { tenant_id: tenantId, keys, webhook_secret: webhookSecret } = credentials;
  return { tenantId, keys, webhookSecret };
}
