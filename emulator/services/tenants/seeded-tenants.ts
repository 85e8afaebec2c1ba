import { isDeepStrictEqual } from 'node:util';
import type { Credentials, PerApplication } from '../../../src/contract/control/state-file.js';
import { APPLICATION_TYPES } from '../../../src/contract/permissions.js';
import type { CallerRegistry } from '../../access/caller-registry.js';
import { hashKey } from '../../access/hash-key.js';
import type { ApplicationRecord, TenantRecord } from '../../store/records.js';
import type { Change, Remove, Store } from '../../store/store.js';
import {
  type AccessByName,
  type SeedServices,
  seedTenant,
  type TenantOptions,
  type TenantSeed,
  withNewPermissions,
} from './seed-tenant.js';
import { SeededCredentials } from './seeded-credentials.js';

interface SeededTenantsServices extends SeedServices {
  store: Store;
  callers: Pick<CallerRegistry, 'load' | 'loadTenant'>;
}

interface SeededTenantsOptions {
  /** Credentials saved by an earlier start. A tenant that is created again takes them over. */
  known: readonly Credentials[];
  /** Fixed keys for a fresh data directory. */
  keys: Partial<PerApplication>;
  /** Access of the seeded applications of further tenants. Default: the usual one. */
  access?: AccessByName | undefined;
  /** Called whenever the credentials change. */
  save(credentials: readonly Credentials[]): Promise<void>;
}

/** Id of the setting that holds the ids of a tenant's seeded applications. */
const settingId = (tenantId: string) => `seeded:${tenantId}`;

const FIRST_TENANT_NAME = 'Emulator';

/** The tenants that the emulator created, whose API keys stay printable; cli.md, "emulator start". */
export class SeededTenants {
  readonly credentials: SeededCredentials;
  readonly #services: SeededTenantsServices;
  readonly #options: SeededTenantsOptions;

  constructor(services: SeededTenantsServices, options: SeededTenantsOptions) {
    this.#services = services;
    this.#options = options;
    this.credentials = new SeededCredentials({ ...services, ...options });
  }

  /** Creates another tenant. */
  async add(name: string): Promise<Credentials> {
    const seed = seedTenant({ name, access: this.#options.access }, this.#services);
    await this.#services.store.commit(changesOf(seed));
    await this.credentials.change((known) => [...known, seed.credentials], seed.credentials.tenant_id);
    return seed.credentials;
  }

  /** Updates the printed key after an application got a new one. Does nothing for an application that was not seeded. */
  async recordNewKey({ id, tenant_id, type }: ApplicationRecord, key: string): Promise<void> {
    if ((await this.#applicationsOf(tenant_id))?.[type] !== id) return;
    await this.credentials.change(
      (known) =>
        known.map((one) =>
          one.tenant_id === tenant_id ? { ...one, keys: { ...one.keys, [type]: key } } : one,
        ),
      tenant_id,
    );
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

  /**
   * Deletes everything of a tenant and creates it again, with the same name, id and keys.
   * @throws ConflictError it has been deleted
   */
  async resetTenant({ id: tenantId, name }: TenantRecord): Promise<void> {
    const { store, callers } = this.#services;
    const known = this.credentials.find(tenantId);
    const { access } = this.#options;
    const seed = seedTenant({ name, tenantId, access, ...(known && optionsFrom(known)) }, this.#services);
    const before: Change[] = [
      { require: 'tenants', tenantId },
      { clear: 'tenant', tenantId },
      ...(await this.deletionChanges(tenantId)),
    ];
    await store.commit([...before, ...changesOf(seed)]);
    await callers.loadTenant(tenantId);
  }

  /** Makes a restored tenant match its printed keys. */
  async reconcileTenant(tenantId: string): Promise<void> {
    const assigned = await this.#assignCredentials(tenantId, [], false);
    await this.credentials.change(
      (known) => known.map((one) => (one.tenant_id === tenantId ? assigned : one)),
      tenantId,
    );
  }

  /**
   * Makes the stored tenants match the printed keys and creates a tenant when there is none. Called at the start and
   * after a restored snapshot.
   * @param trustKnown the keys of known tenants are right, since other processes use them
   */
  async reconcile({ trustKnown = false } = {}): Promise<void> {
    const { records } = await this.#services.store.find('tenants', {});
    // Nothing is cleared here: a repair may have lost the tenants and kept their tokens.
    if (records.length === 0) return this.#seedFirst(await this.#staleSettings());
    const ids = records.map(({ id }) => id).reverse();
    const unused = this.credentials.list().filter(({ tenant_id }) => !ids.includes(tenant_id));
    const assigned: Credentials[] = [];
    for (const id of ids) assigned.push(await this.#assignCredentials(id, unused, trustKnown));
    await this.credentials.change(() => assigned);
  }

  /** Reuses the known id and keys, so that stored tokens of the first tenant belong to it again. */
  async #seedFirst(before: Change[]): Promise<void> {
    const [first] = this.credentials.list();
    const options: TenantOptions = {
      name: FIRST_TENANT_NAME,
      keys: this.#options.keys,
      ...(first && optionsFrom(first)),
    };
    const seed = seedTenant(options, this.#services);
    await this.#services.store.commit([...before, ...changesOf(seed)]);
    await this.credentials.change(() => [seed.credentials]);
  }

  /** Returns the changes that delete the settings of tenants that no longer exist. */
  async #staleSettings(): Promise<Remove[]> {
    const changes = this.credentials.list().map(({ tenant_id }) => this.deletionChanges(tenant_id));
    return (await Promise.all(changes)).flat();
  }

  /** Assigns a stored tenant its known credentials, else those of a tenant that no longer exists, else new ones. */
  async #assignCredentials(
    tenantId: string,
    unused: Credentials[],
    trustKnown: boolean,
  ): Promise<Credentials> {
    const { store, ids } = this.#services;
    const known = this.credentials.find(tenantId) ?? unused.shift();
    const tenant = await store.get('tenants', tenantId, tenantId);
    const applications = await this.#applicationsOf(tenantId);
    const keys: Partial<PerApplication> = {};
    for (const type of APPLICATION_TYPES) {
      keys[type] = known?.keys[type] ?? ids.apiKey();
      const isRight = trustKnown && known?.tenant_id === tenantId;
      await this.#updateApplication(tenantId, applications?.[type], isRight ? undefined : keys[type]);
    }
    return {
      tenant_id: tenantId,
      keys: keys as PerApplication,
      webhook_secret: tenant?.webhook_secret ?? '',
    };
  }

  /** Gives a seeded application the permissions added since, and its printed key unless that is known to be right. */
  async #updateApplication(tenantId: string, id: string | undefined, key: string | undefined): Promise<void> {
    const { store } = this.#services;
    const application = id === undefined ? undefined : await store.get('applications', tenantId, id);
    if (!application) return;
    const record = {
      ...withNewPermissions(application),
      ...(key !== undefined && { key_hash: hashKey(key) }),
    };
    if (!isDeepStrictEqual(record, application)) await store.commit([{ replace: 'applications', record }]);
  }

  async #applicationsOf(tenantId: string): Promise<PerApplication | undefined> {
    const setting = await this.#services.store.get('settings', '', settingId(tenantId));
    return setting?.value as PerApplication | undefined;
  }
}

function changesOf({ credentials, applications, changes }: TenantSeed): Change[] {
  const record = { id: settingId(credentials.tenant_id), value: applications };
  return [...changes, { insert: 'settings', record }];
}

function optionsFrom(credentials: Credentials): Partial<TenantOptions> {
  const { tenant_id: tenantId, keys, webhook_secret: webhookSecret } = credentials;
  return { tenantId, keys, webhookSecret };
}
