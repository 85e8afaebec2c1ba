import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../src/contract/limits.js';
import type { Clock } from '../../lib/clock.js';
import type { IdempotencyRecord } from '../../store/records.js';

/** Characters that the cache holds in total. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** What an entry costs besides its body: the record, its ids and its place in the cache. It bounds their number, too. */
const ENTRY_CHARACTERS = 1_024;
const TOKEN_ID_CHARACTERS = 128;

type CachedResponse = Omit<IdempotencyRecord, 'body'> & { json: string | undefined };

/** Responses of idempotent requests that must not reach the disk because they hold token data or keys. */
export class ResponseCache {
  readonly #responses: LRUCache<string, CachedResponse>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#responses = new LRUCache<string, CachedResponse>({
      maxSize: MAX_CHARACTERS,
      sizeCalculation: ({ json, token_ids }) =>
        ENTRY_CHARACTERS + token_ids.length * TOKEN_ID_CHARACTERS + (json?.length ?? 0),
      ttl: LIMITS.idempotencyLifetimeMs,
      ttlResolution: 0,
      perf: clock,
    });
  }

  get(id: string): IdempotencyRecord | undefined {
    const cached = this.#responses.get(id);
    if (!cached) return undefined;
    const { json, ...rest } = cached;
    return { ...rest, body: json === undefined ? undefined : JSON.parse(json) };
  }

  set({ body, ...rest }: IdempotencyRecord): void {
    this.#responses.set(rest.id, { ...rest, json: JSON.stringify(body) });
  }

  /** Deletes the responses that hold data of one of the tokens. */
  discardForTokens(tenantId: string, tokenIds: readonly string[]): void {
    const ids = new Set(tokenIds);
    this.#deleteWhere(
      (response) => response.tenant_id === tenantId && response.token_ids.some((id) => ids.has(id)),
    );
  }

  discardForApplication(tenantId: string, applicationId: string): void {
    this.#deleteWhere(
      (response) => response.tenant_id === tenantId && response.application_id === applicationId,
    );
  }

  discardForTenant(tenantId: string): void {
    this.#deleteWhere((response) => response.tenant_id === tenantId);
  }

  /** Frees the memory of responses that have expired. `get` never returns one. */
  deleteExpired(): void {
    this.#responses.purgeStale();
  }

  clear(): void {
    this.#responses.clear();
  }

  #deleteWhere(matches: (response: CachedResponse) => boolean): void {
    for (const response of [...this.#responses.values()])
      if (matches(response)) this.#responses.delete(response.id);
  }
}
