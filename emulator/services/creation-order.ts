import { LRUCache } from 'lru-cache';

/** Tenants whose last time is remembered: more than create tokens within one millisecond. */
const MAX_TENANTS = 1_000;

/** Tells which token of a tenant is the older one, of those that this process creates within one millisecond. */
export class CreationOrder {
  readonly #lastTimes = new LRUCache<string, { now: number; count: number }>({ max: MAX_TENANTS });

  /** Returns how many tokens of a tenant were created before at the same time, in milliseconds. */
  next(tenantId: string, now: number): number {
    const last = this.#lastTimes.get(tenantId);
    const count = last?.now === now ? last.count + 1 : 0;
    this.#lastTimes.set(tenantId, { now, count });
    return count;
  }
}
