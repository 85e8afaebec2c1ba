import pLimit, { type LimitFunction } from 'p-limit';
import type { DeliveryRecord } from '../../store/records.js';
import type { Store } from '../../store/store.js';

/** Deliveries that are sent at the same time. A receiver that does not respond occupies one for ten seconds. */
const CONCURRENT_DELIVERIES = 32;
/** Of those, the deliveries of one tenant, so that its receivers hold up no other tenant. */
const DELIVERIES_PER_TENANT = 24;
/** Of those, the deliveries to one receiver, so that it holds up no other one. One that does not respond gets one at a time. */
const DELIVERIES_PER_RECEIVER = { responding: 8, silent: 1 };

/** The delivery to send: which one it is, where it goes, and what it follows. */
export type DeliveryTarget = Pick<DeliveryRecord, 'tenant_id' | 'id' | 'url' | 'order'>;

type Receiver = Pick<DeliveryTarget, 'tenant_id' | 'url'>;

/** Limits the deliveries that are sent at the same time: to a receiver, of a tenant, and of all. The others wait in order. */
export class DeliveryLimits {
  readonly #receivers = new KeyedLimit(DELIVERIES_PER_RECEIVER.silent);
  readonly #tenants = new KeyedLimit(DELIVERIES_PER_TENANT);
  readonly #all = pLimit(CONCURRENT_DELIVERIES);

  run(target: Receiver, send: () => Promise<void>): Promise<void> {
    return this.#receivers.run(receiverOf(target), () =>
      this.#tenants.run(target.tenant_id, () => this.#all(send)),
    );
  }

  noteResult(target: Receiver, hasResponded: boolean): void {
    const { responding, silent } = DELIVERIES_PER_RECEIVER;
    this.#receivers.set(receiverOf(target), hasResponded ? responding : silent);
  }
}

const receiverOf = ({ tenant_id, url }: Receiver): string => `${tenant_id} ${new URL(url).origin}`;

/** One limit for each key. Those that nothing runs or waits under are forgotten. */
class KeyedLimit {
  readonly #limits = new Map<string, LimitFunction>();

  constructor(private readonly concurrency: number) {}

  set(key: string, concurrency: number): void {
    const limit = this.#limits.get(key);
    if (limit) limit.concurrency = concurrency;
  }

  async run(key: string, work: () => Promise<void>): Promise<void> {
    const limit = this.#limits.get(key) ?? pLimit(this.concurrency);
    this.#limits.set(key, limit);
    try {
      await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) this.#limits.delete(key);
    }
  }
}

const claimOf = (name: string) => `delivery:${name}`;

/** Keeps deliveries from the other processes that share the store. Without any, every claim is granted. */
export class DeliveryClaims {
  constructor(private readonly store: Pick<Store, 'shared'>) {}

  /** Claims a delivery, or those of one order. Returns false while another process has them. */
  async take(name: string, leaseMs: number): Promise<boolean> {
    return (await this.store.shared?.claim(claimOf(name), leaseMs)) ?? true;
  }

  async release(name: string): Promise<void> {
    // If the database has become unavailable, the claim expires.
    await this.store.shared?.release(claimOf(name)).catch(() => {});
  }
}
