import { LRUCache } from 'lru-cache';
import type { DeliveryRecord } from '../../store/records.js';

/** Callbacks that are kept to be sent again, and the characters of their bodies in all. */
const KEPT = 100;
const KEPT_CHARACTERS = 8_000_000;

/**
 * The last callbacks that were delivered or given up. Their bodies may hold token data, so they are kept in memory only, and no
 * longer than the tokens that they were made of.
 */
export class RecentCallbacks {
  readonly #records = new LRUCache<string, DeliveryRecord>({
    max: KEPT,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ body }) => body.length + 1,
  });

  add(record: DeliveryRecord): void {
    this.#records.set(record.id, record);
  }

  /** @param tenantId only a callback of this tenant */
  get(id: string, tenantId?: string): DeliveryRecord | undefined {
    const record = this.#records.get(id);
    return tenantId === undefined || record?.tenant_id === tenantId ? record : undefined;
  }

  discardForTokens(tenantId: string, tokenIds: readonly string[]): void {
    this.#discard(
      ({ tenant_id, token_ids }) => tenant_id === tenantId && token_ids.some((id) => tokenIds.includes(id)),
    );
  }

  clear(tenantId?: string): void {
    this.#discard(({ tenant_id }) => tenantId === undefined || tenant_id === tenantId);
  }

  #discard(isDiscarded: (record: DeliveryRecord) => boolean): void {
    for (const [id, record] of [...this.#records.entries()])
      if (isDiscarded(record)) this.#records.delete(id);
  }
}
