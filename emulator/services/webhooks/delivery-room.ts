import { LIMITS } from '../../../src/contract/limits.js';
import { problem } from '../../problems/problem.js';
import type { Store } from '../../store/store.js';

/** What is left to be delivered of a tenant, or is to be. */
interface Amount {
  deliveries: number;
  /** Of distinct bodies, in characters. */
  bytes: number;
}

/** The bodies that are stored, by the id of their record, and what is being written. */
interface Held {
  reserved: Amount;
  bodies: Map<string, number>;
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
  async reserve(wanted: Iterable<Amount & { tenantId: string }>): Promise<() => void> {
    const amounts = new Map<string, Amount>();
    for (const { tenantId, ...amount } of wanted) addTo(amounts, tenantId, amount);
    const counts = await Promise.all([...amounts.keys()].map((tenantId) => this.#count(tenantId)));
    [...amounts].forEach(([tenantId, amount], index) => {
      this.#assertFits(tenantId, counts[index] ?? 0, amount);
    });
    this.#reserve(amounts, 1);
    return () => this.#reserve(amounts, -1);
  }

  /** Whether a tenant has no room for another delivery. */
  async isFull(tenantId: string): Promise<boolean> {
    const { count, bytes } = LIMITS.pendingDeliveries;
    return (await this.#count(tenantId)) >= count || (this.#tenants.get(tenantId)?.bytes ?? 0) >= bytes;
  }

  /** Counts a body that was stored, until `remove`. */
  add(tenantId: string, id: string, body: string): void {
    this.remove(tenantId, id);
    const held = this.#held(tenantId);
    held.bodies.set(id, body.length);
    held.bytes += body.length;
  }

  remove(tenantId: string, id: string): void {
    const held = this.#tenants.get(tenantId);
    if (!held) return;
    held.bytes -= held.bodies.get(id) ?? 0;
    held.bodies.delete(id);
    this.#forgetEmpty(tenantId, held);
  }

  /** Forgets the bodies of a tenant, or all. */
  clear(tenantId?: string): void {
    for (const [id, held] of [...this.#tenants]) {
      if (tenantId !== undefined && id !== tenantId) continue;
      held.bodies.clear();
      held.bytes = 0;
      this.#forgetEmpty(id, held);
    }
  }

  async #count(tenantId: string): Promise<number> {
    return (await this.store.find('deliveries', { tenantId, limit: 0 })).total;
  }

  #assertFits(tenantId: string, stored: number, { deliveries, bytes }: Amount): void {
    const { reserved, bytes: held } = this.#held(tenantId);
    const most = LIMITS.pendingDeliveries;
    if (stored + reserved.deliveries + deliveries > most.count)
      throw full(`${most.count} pending deliveries`);
    if (held + reserved.bytes + bytes > most.bytes) throw full(`pending deliveries of ${most.bytes} bytes`);
  }

  #reserve(amounts: ReadonlyMap<string, Amount>, sign: 1 | -1): void {
    for (const [tenantId, { deliveries, bytes }] of amounts) {
      const held = this.#held(tenantId);
      held.reserved.deliveries += sign * deliveries;
      held.reserved.bytes += sign * bytes;
      if (sign < 0) this.#forgetEmpty(tenantId, held);
    }
  }

  #held(tenantId: string): Held {
    const held = this.#tenants.get(tenantId);
    if (held) return held;
    const created = { reserved: { deliveries: 0, bytes: 0 }, bodies: new Map(), bytes: 0 };
    this.#tenants.set(tenantId, created);
    return created;
  }

  #forgetEmpty(tenantId: string, { bodies, reserved }: Held): void {
    if (bodies.size === 0 && reserved.deliveries === 0) this.#tenants.delete(tenantId);
  }
}

function addTo(amounts: Map<string, Amount>, tenantId: string, { deliveries, bytes }: Amount): void {
  const sum = amounts.get(tenantId) ?? { deliveries: 0, bytes: 0 };
  amounts.set(tenantId, { deliveries: sum.deliveries + deliveries, bytes: sum.bytes + bytes });
}

function full(what: string): Error {
  const detail = `The tenant may have at most ${what}: its receivers do not accept them. Nothing was changed.`;
  return problem('storageFull', detail);
}
