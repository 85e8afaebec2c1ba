import { LRUCache } from 'lru-cache';

/** Tenants whose last time is remembered: more than create tokens within one millisecond. */
const MAX_TENANTS = 1_000;

const lastTimes = new LRUCache<string, { now: number; count: number }>({ max: MAX_TENANTS });

/**
 * Returns how many tokens of a tenant this process has created before at the same time, in milliseconds. `created_at` does
 * not say which of them is the oldest.
 */
export function creationOrder(tenantId: string, now: number): number {
  const last = lastTimes.get(tenantId);
  const count = last?.now === now ? last.count + 1 : 0;
  lastTimes.set(tenantId, { now, count });
  return count;
}
