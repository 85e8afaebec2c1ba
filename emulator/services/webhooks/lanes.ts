import type { DeliveryRecord } from '../../store/records.js';

/** Sorts deliveries by their order, the same in every process; those without one come first. */
export function byOrder(a: DeliveryRecord, b: DeliveryRecord): number {
  return (a.order?.at ?? 0) - (b.order?.at ?? 0) || (a.id < b.id ? -1 : 1);
}

/** Keeps the deliveries of one order key apart in time: only the first of a lane is sent, until it is done. */
export class Lanes {
  /** Ids of the deliveries that are not done, by order key. */
  readonly #lanes = new Map<string, string[]>();
  /** The order key of each delivery. */
  readonly #keys = new Map<string, string>();

  /** @returns whether the delivery may be sent now: it is the first of its lane, or has none */
  add({ id, order }: DeliveryRecord): boolean {
    if (!order) return true;
    const lane = this.#lanes.get(order.key) ?? [];
    this.#lanes.set(order.key, lane);
    this.#keys.set(id, order.key);
    lane.push(id);
    return lane.length === 1;
  }

  /** Removes a delivery that is done. @returns the id of the one that may be sent next */
  next(id: string): string | undefined {
    const key = this.#keys.get(id);
    const lane = key === undefined ? undefined : this.#lanes.get(key);
    if (key === undefined || lane === undefined) return undefined;
    this.#keys.delete(id);
    lane.splice(lane.indexOf(id), 1);
    if (lane.length === 0) this.#lanes.delete(key);
    return lane[0];
  }

  clear(): void {
    this.#lanes.clear();
    this.#keys.clear();
  }
}
