import type { DeliveryRecord } from '../../store/records.js';
import type { DeliveryTarget } from './delivery-limits.js';

/** Sorts deliveries by their order, the same in every process; those without one come first. */
export function byOrder(a: DeliveryRecord, b: DeliveryRecord): number {
  return (a.order?.at ?? 0) - (b.order?.at ?? 0) || (a.id < b.id ? -1 : 1);
}

/** Returns the deliveries that no earlier one of their order key holds up, in order. */
export function firstInOrder<Delivery extends DeliveryRecord>(deliveries: readonly Delivery[]): Delivery[] {
  const keys = new Set<string>();
  return [...deliveries].sort(byOrder).filter(({ order }) => {
    if (!order) return true;
    const isFirst = !keys.has(order.key);
    keys.add(order.key);
    return isFirst;
  });
}

/** Keeps the deliveries of one order key apart in time: only the first one that is not done is sent. */
export class DeliveryOrder {
  /** Ids of the deliveries that are not done, by order key. */
  readonly #waiting = new Map<string, string[]>();
  /** The order key of each delivery, and where it goes. */
  readonly #places = new Map<string, { key: string; target: DeliveryTarget }>();

  /** @returns whether the delivery may be sent now: no other one of its order key comes first */
  add({ id, order, tenant_id, url }: DeliveryRecord): boolean {
    if (!order) return true;
    const waiting = this.#waiting.get(order.key) ?? [];
    this.#waiting.set(order.key, waiting);
    this.#places.set(id, { key: order.key, target: { tenant_id, id, url } });
    waiting.push(id);
    return waiting.length === 1;
  }

  /** Removes a delivery that is done. @returns the one that may be sent next */
  next(id: string): DeliveryTarget | undefined {
    const { key } = this.#places.get(id) ?? {};
    const waiting = key === undefined ? undefined : this.#waiting.get(key);
    if (key === undefined || waiting === undefined) return undefined;
    this.#places.delete(id);
    waiting.splice(waiting.indexOf(id), 1);
    if (waiting.length === 0) this.#waiting.delete(key);
    return waiting[0] === undefined ? undefined : this.#places.get(waiting[0])?.target;
  }

  /** Removes the deliveries of a tenant, or all. */
  clear(tenantId?: string): void {
    for (const [id, place] of this.#places) {
      if (tenantId !== undefined && place.target.tenant_id !== tenantId) continue;
      this.#places.delete(id);
      this.#waiting.delete(place.key);
    }
  }
}
