import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../src/contract/limits.js';
import { CachesByTenant, type TotalLimits } from '../../lib/caches-by-tenant.js';
import type { Clock } from '../../lib/clock.js';
import type { IdempotencyRecord } from '../../store/records.js';
import { bytesOfResponse } from './record.js';

/** The tenants whose responses are cached, and the memory of all of them. */
const ALL_TENANTS: TotalLimits = { tenants: 10_000, bytes: 2 * LIMITS.storedResponseBytes };

type CachedResponse = Omit<IdempotencyRecord, 'body'> & { json: string | undefined };

/** Responses of idempotent requests that must not reach the disk because they hold token data or keys. */
export class ResponseCache {
  readonly #tenants: CachesByTenant<LRUCache<string, CachedResponse>>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#tenants = new CachesByTenant(() => createCache(clock), ALL_TENANTS);
  }

  get(tenantId: string, id: string): IdempotencyRecord | undefined {
    const cached = this.#tenants.get(tenantId)?.get(id);
    if (!cached) return undefined;
    const { json, ...rest } = cached;
    return { ...rest, body: json === undefined ? undefined : JSON.parse(json) };
  }

  set({ body, ...rest }: IdempotencyRecord): void {
    const json = JSON.stringify(body);
    this.#tenants.add(rest.tenant_id, (responses) => responses.set(rest.id, { ...rest, json }));
  }

  /** Deletes the responses that hold data of one of the tokens. */
  discardForTokens(tenantId: string, tokenIds: readonly string[]): void {
    const ids = new Set(tokenIds);
    this.#deleteWhere(tenantId, ({ token_ids }) => token_ids.some((id) => ids.has(id)));
  }

  discardForApplication(tenantId: string, applicationId: string): void {
    this.#deleteWhere(tenantId, ({ application_id }) => application_id === applicationId);
  }

  discardForTenant(tenantId: string): void {
    this.#tenants.delete(tenantId);
  }

  /** Frees the memory of responses that have expired. `get` never returns one. */
  deleteExpired(): void {
    for (const responses of this.#tenants.values()) responses.purgeStale();
  }

  clear(): void {
    this.#tenants.clear();
  }

  #deleteWhere(tenantId: string, matches: (response: CachedResponse) => boolean): void {
    const responses = this.#tenants.get(tenantId);
    for (const response of [...(responses?.values() ?? [])])
      if (matches(response)) responses?.delete(response.id);
  }
}

/** Creates the cache of one tenant; the responses that were not asked for the longest are dropped. */
function createCache(perf: Pick<Clock, 'now'>): LRUCache<string, CachedResponse> {
  return new LRUCache<string, CachedResponse>({
    maxSize: LIMITS.storedResponseBytes,
    sizeCalculation: ({ json, token_ids }) => bytesOfResponse(json, token_ids),
    ttl: LIMITS.idempotencyLifetimeMs,
    ttlResolution: 0,
    perf,
  });
}
