import type { Clock } from '../lib/clock.js';
import type { IdempotencyRecord } from '../store/records.js';

/** Characters of JSON that are kept in all; the oldest answers go first. */
const CAPACITY = 64 * 1024 * 1024;

type CachedResponse = Omit<IdempotencyRecord, 'body'> & { json: string | undefined };

/** Stored answers that must not reach the disk: those with token data or keys. */
export class ResponseCache {
  /** In the order they came. */
  readonly #answers = new Map<string, CachedResponse>();
  readonly #clock: Clock;
  #size = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(id: string): IdempotencyRecord | undefined {
    const kept = this.#answers.get(id);
    if (!kept) return undefined;
    const { json, ...rest } = kept;
    return { ...rest, body: json === undefined ? undefined : JSON.parse(json) };
  }

  set({ body, ...rest }: IdempotencyRecord): void {
    this.#delete(rest.id);
    const kept: CachedResponse = { ...rest, json: JSON.stringify(body) };
    this.#answers.set(rest.id, kept);
    this.#size += sizeOf(kept);
    this.#evict();
  }

  /** Drops the answers that show one of the tokens. */
  discardForTokens(tenantId: string, tokenIds: readonly string[]): void {
    for (const { id, tenant_id, token_ids } of this.#answers.values()) {
      if (tenant_id === tenantId && token_ids.some((token) => tokenIds.includes(token))) this.#delete(id);
    }
  }

  discardForTenant(tenantId: string): void {
    for (const { id, tenant_id } of this.#answers.values()) if (tenant_id === tenantId) this.#delete(id);
  }

  clear(): void {
    this.#answers.clear();
    this.#size = 0;
  }

  #evict(): void {
    const now = this.#clock.now();
    for (const { id, expires_at } of this.#answers.values()) {
      if (this.#size <= CAPACITY && Date.parse(expires_at) > now) break;
      this.#delete(id);
    }
  }

  #delete(id: string): void {
    const kept = this.#answers.get(id);
    if (!kept) return;
    this.#answers.delete(id);
    this.#size -= sizeOf(kept);
  }
}

function sizeOf({ json }: CachedResponse): number {
  return json?.length ?? 0;
}
