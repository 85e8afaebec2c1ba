import { LIMITS } from '../../../src/contract/limits.js';
import { problem } from '../../problems/problem.js';
import type { Store } from '../../store/store.js';

/** What a write adds to the deliveries of a tenant. */
interface Wanted {
  tenantId: string;
  deliveries: number;
  /** Of distinct bodies, in characters. */
  bytes: number;
}

/** What is left to be delivered of a tenant, apart from the number of stored deliveries. */
interface Held {
  reserved: number;
  /** The lengths of the stored bodies, by the id of their record. */
  bodies: Map<string, number>;
  /** Of the stored bodies, and of those that are being written. */
  bytes: number;
}

/**
 * Bounds what is left to be delivered of each tenant (decisions.md, "Shares and damage"), so that receivers that do not answer
 * fill neither memory nor disk. Where processes share a store, each counts the bytes that it has stored itself.
 */
export class DeliveryRoom {
  readonly #tenants = new Map<string, Held>();

  constructor(private readonly store: Pick<Store, 'find'>) {}

  /**
   * Reserves room for a write. Call the result once the write has ended.
   * @throws ProblemError 507 when a tenant does not have as much room
   */
  async reserve(wanted: readonly Wanted[]): Promise<() => void> {
    const tenants = [...new Set(wanted.map(({ tenantId }) => tenantId))];
    const counts = await Promise.all(tenants.map((tenantId) => this.#count(tenantId)));
    for (const one of wanted) this.#change(one, 1);
    const release = () => {
      for (const one of wanted) this.#change(one, -1);
    };
    const most = LIMITS.pendingDeliveries;
    for (const [index, tenantId] of tenants.entries()) {
      const { reserved = 0, bytes = 0 } = this.#tenants.get(tenantId) ?? {};
      const isTooMany = (counts[index] ?? 0) + reserved > most.count;
      if (!isTooMany && bytes <= most.bytes) continue;
      release();
      throw full(
        isTooMany ? `${most.count} pending deliveries` : `pending deliveries of ${most.bytes} bytes`,
      );
    }
    return release;
  }

  /** Whether a tenant has no room for another delivery. */
  async isFull(tenantId: string): Promise<boolean> {
    const { count, bytes } = LIMITS.pendingDeliveries;
    return (await this.#count(tenantId)) >= count || (this.#tenants.get(tenantId)?.bytes ?? 0) >= bytes;
  }

  /** Counts a body that was stored, until `remove`. */
  add(tenantId: string, id: string, { length }: string): void {
    this.remove(tenantId, id);
    this.#change({ tenantId, deliveries: 0, bytes: length }, 1);
    this.#tenants.get(tenantId)?.bodies.set(id, length);
  }

  remove(tenantId: string, id: string): void {
    const { bodies } = this.#tenants.get(tenantId) ?? {};
    const bytes = bodies?.get(id);
    if (bytes === undefined) return;
    bodies?.delete(id);
    this.#change({ tenantId, deliveries: 0, bytes }, -1);
  }

  /** Forgets the bodies of a tenant, or all. */
  clear(only?: string): void {
    for (const [tenantId, { bodies }] of [...this.#tenants])
      if (only === undefined || tenantId === only)
        for (const id of [...bodies.keys()]) this.remove(tenantId, id);
  }

  async #count(tenantId: string): Promise<number> {
    return (await this.store.find('deliveries', { tenantId, limit: 0 })).total;
  }

  #change({ tenantId, deliveries, bytes }: Wanted, sign: 1 | -1): void {
    const held = this.#tenants.get(tenantId) ?? { reserved: 0, bodies: new Map(), bytes: 0 };
    held.reserved += sign * deliveries;
    held.bytes += sign * bytes;
    if (held.reserved === 0 && held.bytes === 0) this.#tenants.delete(tenantId);
    else this.#tenants.set(tenantId, held);
  }
}

function full(what: string): Error {
  const detail = `The tenant may have at most ${what}: its receivers do not accept them. Nothing was changed.`;
  return problem('storageFull', detail);
}
