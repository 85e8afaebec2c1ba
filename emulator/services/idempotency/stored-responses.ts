import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../src/contract/limits.js';
import { CachesByTenant, type TotalLimits } from '../../lib/caches-by-tenant.js';
import type { Clock } from '../../lib/clock.js';
import { ignoreConflict } from '../../store/errors.js';
import type { IdempotencyRecord } from '../../store/records.js';
import type { Store } from '../../store/store.js';
import { bytesOfResponse, isMark } from './record.js';

/** What is read at a time of the responses that an earlier process has stored. */
const PAGE = { limit: 100, maxBytes: 4 * 1024 ** 2 };

/**
 * Stores the responses that do not hold token data. Those of a tenant take at most `LIMITS.storedResponseBytes`: beyond that,
 * the oldest are removed. Of processes that share a store, each bounds what it stores itself and what it found.
 */
export class StoredResponses {
  readonly #tenants = new Map<string, Promise<Sizes>>();

  constructor(private readonly store: Store) {}

  /** Stores a response, in place of an expired one with its id. */
  async save(record: IdempotencyRecord): Promise<void> {
    const { tenant_id: tenantId, id } = record;
    const pushedOut = (await this.#sizesOf(tenantId)).add(sizeOf(record));
    await Promise.all(pushedOut.map((oldest) => this.#remove(tenantId, oldest)));
    const expired = await this.store.get('idempotency', tenantId, id);
    const remove = expired ? [{ remove: 'idempotency' as const, tenantId, id }] : [];
    await this.store.commit([{ require: 'tenants', tenantId }, ...remove, { insert: 'idempotency', record }]);
  }

  forget(tenantId?: string): void {
    if (tenantId === undefined) this.#tenants.clear();
    else this.#tenants.delete(tenantId);
  }

  #sizesOf(tenantId: string): Promise<Sizes> {
    const sizes = this.#tenants.get(tenantId) ?? this.#read(tenantId);
    this.#tenants.set(tenantId, sizes);
    sizes.catch(() => this.#tenants.delete(tenantId));
    return sizes;
  }

  async #read(tenantId: string): Promise<Sizes> {
    const found: Sized[] = [];
    for (let offset = 0, total = 1; offset < total; ) {
      const page = await this.store.find('idempotency', { tenantId, offset, ...PAGE });
      found.push(...page.records.filter((record) => !isMark(record)).map(sizeOf));
      total = page.total;
      offset = page.nextOffset ?? offset + PAGE.limit;
    }
    const sizes = new Sizes();
    const pushedOut = found.reverse().flatMap((response) => sizes.add(response));
    await Promise.all(pushedOut.map((oldest) => this.#remove(tenantId, oldest)));
    return sizes;
  }

  /** Removes a response, unless its key is in flight again in another process, whose mark it is then. */
  async #remove(tenantId: string, id: string): Promise<void> {
    const record = await this.store.get('idempotency', tenantId, id);
    if (record === undefined || isMark(record)) return;
    const { revision } = record;
    await this.store.commit([{ remove: 'idempotency', tenantId, id, revision }]).catch(ignoreConflict);
  }
}

type Sized = ReturnType<typeof sizeOf>;

const sizeOf = ({ id, body, token_ids }: IdempotencyRecord) => ({
  id,
  bytes: bytesOfResponse(JSON.stringify(body), token_ids),
});

/** The sizes of the stored responses of a tenant, in the order in which they were stored. */
class Sizes {
  readonly #bytes = new Map<string, number>();
  #total = 0;

  /** @returns the ids of the responses that this one pushes out */
  add({ id, bytes }: Sized): string[] {
    this.#total += bytes - (this.#bytes.get(id) ?? 0);
    this.#bytes.delete(id);
    this.#bytes.set(id, bytes);
    const pushedOut: string[] = [];
    for (const [oldest, size] of this.#bytes) {
      if (this.#total <= LIMITS.storedResponseBytes) break;
      this.#total -= size;
      this.#bytes.delete(oldest);
      pushedOut.push(oldest);
    }
    return pushedOut;
  }
}

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
