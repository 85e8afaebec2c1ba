import { LIMITS } from '../../../src/contract/limits.js';
import { SumsByTenant } from '../../lib/sums-by-tenant.js';
import { problem } from '../../problems/problem.js';
import type { Store } from '../../store/store.js';

const MOST = LIMITS.pendingDeliveries;

interface Wanted {
  tenantId: string;
  deliveries: number;
  /** Of distinct bodies, in characters. */
  bytes: number;
}

/** Bounds what is left to be delivered of each tenant. Each process that shares a store counts what it has stored. */
export class DeliveryRoom {
  readonly #reserved = new SumsByTenant();
  /** Of the bodies that are stored or being written, in characters. */
  readonly #bytes = new SumsByTenant();
  readonly #bodies = new Map<string, { tenantId: string; id: string; bytes: number }>();

  constructor(private readonly store: Pick<Store, 'find'>) {}

  /** Reserves room for a write, until the result is called. @throws ProblemError 507 when a tenant does not have it */
  async reserve(wanted: readonly Wanted[]): Promise<() => void> {
    const tenants = [...new Set(wanted.map(({ tenantId }) => tenantId))];
    const counts = await Promise.all(tenants.map((tenantId) => this.#count(tenantId)));
    const change = (sign: 1 | -1) => {
      for (const { tenantId, deliveries, bytes } of wanted) {
        this.#reserved.add(tenantId, sign * deliveries);
        this.#bytes.add(tenantId, sign * bytes);
      }
    };
    change(1);
    for (const [index, tenantId] of tenants.entries()) {
      const isTooMany = (counts[index] ?? 0) + this.#reserved.of(tenantId) > MOST.count;
      if (!isTooMany && this.#bytes.of(tenantId) <= MOST.bytes) continue;
      change(-1);
      throw full(
        isTooMany ? `${MOST.count} pending deliveries` : `pending deliveries of ${MOST.bytes} bytes`,
      );
    }
    return () => change(-1);
  }

  /** Whether a tenant has no room for another delivery. */
  async isFull(tenantId: string): Promise<boolean> {
    return (await this.#count(tenantId)) >= MOST.count || this.#bytes.of(tenantId) >= MOST.bytes;
  }

  /** Counts a body that was stored, until `remove`. */
  add(tenantId: string, id: string, { length: bytes }: string): void {
    this.remove(tenantId, id);
    this.#bodies.set(`${tenantId} ${id}`, { tenantId, id, bytes });
    this.#bytes.add(tenantId, bytes);
  }

  remove(tenantId: string, id: string): void {
    const key = `${tenantId} ${id}`;
    this.#bytes.add(tenantId, -(this.#bodies.get(key)?.bytes ?? 0));
    this.#bodies.delete(key);
  }

  clear(only?: string): void {
    for (const { tenantId, id } of [...this.#bodies.values()])
      if (only === undefined || tenantId === only) this.remove(tenantId, id);
  }

  async #count(tenantId: string): Promise<number> {
    return (await this.store.find('deliveries', { tenantId, limit: 0 })).total;
  }
}

function full(what: string): Error {
  const detail = `The tenant may have at most ${what}: its receivers do not accept them. Nothing was changed.`;
  return problem('storageFull', detail);
}
