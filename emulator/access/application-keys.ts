import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { TenantClocks } from '../lib/tenant-clocks.js';
import { formatTimestamp } from '../lib/timestamps.js';
import type { ApplicationKeyRecord, ApplicationRecord } from '../store/records.js';
import type { Store } from '../store/store.js';

export function keyRecord(key: string, values: Omit<ApplicationKeyRecord, 'hash' | 'last4'>) {
  return { ...values, hash: hashKey(key), last4: key.slice(-4) };
}

export const keysOf = ({ keys = [] }: Pick<ApplicationRecord, 'keys'>): ApplicationKeyRecord[] => keys;

/** Whether a key no longer works at a time, in milliseconds since 1970. */
export function isKeyExpired({ expires_at }: Pick<ApplicationKeyRecord, 'expires_at'>, now: number): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= now;
}

/** Hashes an API key. Only the hash is stored: keys hold 256 random bits, so that a plain SHA-256 cannot be reversed. */
export const hashKey = (key: string): string => hash('sha256', key, 'base64url');

/** Returns the prefix of the keys of the sessions that an application opens. It names the application. */
export const sessionPrefix = (applicationId: string): string => `session_${applicationId}`;

/** Returns the id of the application that opened the session of a key; undefined if it is not the key of a session. */
export const openerOf = (key: string): string | undefined => /^session_([0-9a-f-]{36})_/.exec(key)?.[1];

const HOUR_MS = 3_600_000;
/** Keys whose last hour is known without the store. */
const REMEMBERED_KEYS = 10_000;

interface Services {
  store: Pick<Store, 'record' | 'find' | 'commit'>;
  clocks: Pick<TenantClocks, 'of'>;
}

/** Records the last hour in which keys were used, in entries of their own. No request waits for it, or fails. */
export class KeyUse {
  /** When the hours began in which keys were last used, by tenant and key. */
  readonly #hours = new LRUCache<string, number>({ maxSize: REMEMBERED_KEYS, sizeCalculation: () => 1 });

  constructor(private readonly services: Services) {}

  note({ tenant, keyId }: { tenant: { id: string }; keyId?: string | undefined }): void {
    if (keyId === undefined) return;
    const { store, clocks } = this.services;
    const now = clocks.of(tenant.id).now();
    const hour = now - (now % HOUR_MS);
    const name = nameOf(tenant.id, keyId);
    if (this.#hours.get(name) === hour) return;
    this.#hours.set(name, hour);
    const record = { id: `${formatTimestamp(hour)}:${keyId}`, tenant_id: tenant.id, key: keyId };
    store.record([{ insert: 'activity', record }]);
    // What is left is removed in the next hour.
    void this.#removeEarlier(tenant.id, keyId).catch(() => {});
  }

  /** Returns when the hour began in which a key was last used; undefined for a key that never was. */
  async lastUse(tenantId: string, keyId: string): Promise<string | undefined> {
    const hour = this.#hours.get(nameOf(tenantId, keyId));
    const known = hour === undefined ? undefined : formatTimestamp(hour);
    const stored = (await this.#entriesOf(tenantId, keyId)).at(-1)?.id.slice(0, -keyId.length - 1);
    return known !== undefined && (stored === undefined || known > stored) ? known : stored;
  }

  /** Their ids begin with the hour, and order them. */
  async #entriesOf(tenantId: string, keyId: string) {
    const { store } = this.services;
    return (await store.find('activity', { tenantId, where: { term: 'key', is: keyId } })).records;
  }

  async #removeEarlier(tenantId: string, keyId: string): Promise<void> {
    const earlier = (await this.#entriesOf(tenantId, keyId)).slice(0, -1);
    if (earlier.length === 0) return;
    await this.services.store.commit(
      earlier.map(({ id, revision }) => ({ remove: 'activity', tenantId, id, revision })),
    );
  }
}

const nameOf = (tenantId: string, keyId: string): string => `${tenantId} ${keyId}`;
