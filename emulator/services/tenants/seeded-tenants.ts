import { APPLICATION_TYPES } from '../../../src/contract/permissions.js';
import { keyHash } from '../../access/key-hash.js';
import type { Context } from '../../operations/context.js';
import type { ApplicationRecord } from '../../store/records.js';
import type { Change, Remove } from '../../store/store.js';
import {
  type Credentials,
  type PerApplication,
  seedTenant,
  type TenantOptions,
  type TenantSeed,
} from './seed-tenant.js';

type Needs = Pick<Context, 'store' | 'ids' | 'clock' | 'callers'>;

export interface SeededTenantsOptions {
  /** Credentials of an earlier start: a tenant that is made anew takes over theirs. */
  known: readonly Credentials[];
  /** Fixed keys for a fresh data directory. */
  keys: Partial<PerApplication>;
  /** Is told whenever the credentials change. */
  save(credentials: readonly Credentials[]): Promise<void>;
}

/** Which applications of a tenant were seeded is kept in a setting of this name. */
const mark = (tenantId: string) => `seeded:${tenantId}`;

const FIRST_TENANT_NAME = 'Emulator';

/** The tenants that the emulator made, whose keys stay printable; cli.md, "emulator start". */
export class SeededTenants {
  /** The oldest first. */
  #credentials: readonly Credentials[];
  readonly #context: Needs;
  readonly #options: SeededTenantsOptions;

  constructor(context: Needs, options: SeededTenantsOptions) {
    this.#context = context;
    this.#options = options;
    this.#credentials = options.known;
  }

  /** The oldest first; none when the last tenant was deleted. */
  list(): readonly Credentials[] {
    return this.#credentials;
  }

  /** Makes one more. */
  async add(name: string): Promise<Credentials> {
    const seed = seedTenant({ name }, this.#context);
    await this.#context.store.commit(this.#changesOf(seed));
    await this.#changeTo([...this.#credentials, seed.credentials]);
    return seed.credentials;
  }

  /** An application got a new key: when it is a seeded one, that is the key to print from now on. */
  async recordNewKey({ id, tenant_id, type }: ApplicationRecord, key: string): Promise<void> {
    if ((await this.#applicationsOf(tenant_id))?.[type] !== id) return;
    const changed = this.#credentials.map((one) =>
      one.tenant_id === tenant_id ? { ...one, keys: { ...one.keys, [type]: key } } : one,
    );
    await this.#changeTo(changed);
  }

  /** To be committed with what removes the tenant; `removed` follows. An imported tenant may have no mark. */
  async deletionChanges(tenantId: string): Promise<Remove[]> {
    const marked = await this.#applicationsOf(tenantId);
    return marked ? [{ remove: 'settings', tenantId: '', id: mark(tenantId) }] : [];
  }

  async dropCredentials(tenantId: string): Promise<void> {
    await this.#changeTo(this.#credentials.filter(({ tenant_id }) => tenant_id !== tenantId));
  }

  /** Back to the first tenant as it was made, its id and keys included; everything else goes. */
  async reset(): Promise<void> {
    await this.#seedFirst([{ clear: 'everything' }]);
  }

  /** The first tenant with the id and keys it was known by, so that what is stored of it is its own again. */
  async #seedFirst(before: Change[]): Promise<void> {
    const [first] = this.#credentials;
    const wish: TenantOptions = {
      name: FIRST_TENANT_NAME,
      keys: this.#options.keys,
      ...(first && sameAs(first)),
    };
    const seed = seedTenant(wish, this.#context);
    await this.#context.store.commit([...before, ...this.#changesOf(seed)]);
    await this.#changeTo([seed.credentials]);
  }

  /** Makes the stored data fit the printed keys, and a tenant when there is none: at the start, after a restored snapshot. */
  async reconcile(): Promise<void> {
    const { records } = await this.#context.store.find('tenants', {});
    // Nothing is cleared: a repair may have lost the documents and kept the tokens.
    if (records.length === 0) return this.#seedFirst(await this.#staleMarks());
    const ids = records.map(({ id }) => id).reverse();
    const unused = this.#credentials.filter(({ tenant_id }) => !ids.includes(tenant_id));
    const aligned: Credentials[] = [];
    for (const id of ids) aligned.push(await this.#assignCredentials(id, unused));
    await this.#changeTo(aligned);
  }

  /** Marks of tenants that are gone. */
  async #staleMarks(): Promise<Remove[]> {
    const removals = this.#credentials.map(({ tenant_id }) => this.deletionChanges(tenant_id));
    return (await Promise.all(removals)).flat();
  }

  /** A stored tenant under the credentials known for it, else under those of a tenant that is gone, else under new ones. */
  async #assignCredentials(tenantId: string, unused: Credentials[]): Promise<Credentials> {
    const { store, ids } = this.#context;
    const known = this.#credentials.find(({ tenant_id }) => tenant_id === tenantId) ?? unused.shift();
    const tenant = await store.get('tenants', tenantId, tenantId);
    const applications = await this.#applicationsOf(tenantId);
    const keys: Partial<PerApplication> = {};
    for (const type of APPLICATION_TYPES) {
      keys[type] = known?.keys[type] ?? ids.apiKey();
      await this.#giveKey(tenantId, applications?.[type], keys[type]);
    }
    return {
      tenant_id: tenantId,
      keys: keys as PerApplication,
      webhook_secret: tenant?.webhook_secret ?? '',
    };
  }

  async #giveKey(tenantId: string, id: string | undefined, key: string): Promise<void> {
    const { store } = this.#context;
    const application = id === undefined ? undefined : await store.get('applications', tenantId, id);
    if (!application || application.key_hash === keyHash(key)) return;
    await store.commit([{ replace: 'applications', record: { ...application, key_hash: keyHash(key) } }]);
  }

  async #applicationsOf(tenantId: string): Promise<PerApplication | undefined> {
    const setting = await this.#context.store.get('settings', '', mark(tenantId));
    return setting?.value as PerApplication | undefined;
  }

  #changesOf({ credentials, applications, changes }: TenantSeed): Change[] {
    return [
      ...changes,
      { insert: 'settings', record: { id: mark(credentials.tenant_id), value: applications } },
    ];
  }

  async #changeTo(credentials: readonly Credentials[]): Promise<void> {
    this.#credentials = credentials;
    await this.#context.callers.load();
    await this.#options.save(credentials);
  }
}

function sameAs(credentials: Credentials): Partial<TenantOptions> {
  const { tenant_id: tenantId, keys, webhook_secret: webhookSecret } = credentials;
  return { tenantId, keys, webhookSecret };
}
