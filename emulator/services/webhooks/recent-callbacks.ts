import { LRUCache } from 'lru-cache';
import { ConflictError } from '../../store/errors.js';
import type { DeliveryRecord } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import { clockOf } from './delivery-record.js';
import type { WebhookServices } from './send.js';

/** Callbacks that are kept to be sent again, and the characters of their bodies in all. */
const KEPT = 100;
const KEPT_CHARACTERS = 8_000_000;

/** The last callbacks that ended. Their bodies may hold token data: in memory only, and no longer than their tokens. */
export class RecentCallbacks {
  readonly #records = new LRUCache<string, DeliveryRecord>({
    max: KEPT,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ body = '' }) => body.length + 1,
  });

  add(record: DeliveryRecord): void {
    this.#records.set(record.id, record);
  }

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

/** Stores a recent callback again, or makes a pending one due; undefined if the tenant has none with this id. */
export async function storeAgain(
  id: string,
  tenantId: string | undefined,
  kept: RecentCallbacks,
  { store, clocks }: Pick<WebhookServices, 'store' | 'clocks'>,
): Promise<DeliveryRecord | undefined> {
  for (;;) {
    const [pending] = (await store.find('deliveries', { tenantId, where: { ids: [id] } })).records;
    const earlier = pending ?? kept.get(id, tenantId);
    if (!earlier || pending?.event) return undefined;
    const next_attempt_at = clockOf(earlier, clocks).timestamp();
    const record = pending
      ? { ...pending, next_attempt_at }
      : { ...earlier, attempts: 0, next_attempt_at, created_at: next_attempt_at };
    try {
      const change: Change = pending
        ? { replace: 'deliveries', record: { ...pending, next_attempt_at } }
        : { insert: 'deliveries', record };
      await store.commit([{ require: 'tenants', tenantId: record.tenant_id }, change]);
      return record;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      if (error.collection === 'tenants') return undefined;
      // It was delivered, or sent again by another request, in the meantime.
    }
  }
}
