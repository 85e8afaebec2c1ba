/** Tenants whose last time is remembered; more than create tokens within one millisecond. */
const MAX_TENANTS = 1_000;

const lastTimes = new Map<string, { now: number; count: number }>();

/**
 * Returns how many tokens of a tenant this process has created before at the same time, in milliseconds: `created_at` does
 * not tell which of them is the oldest.
 */
export function creationOrder(tenantId: string, now: number): number {
  const last = lastTimes.get(tenantId);
  const count = last?.now === now ? last.count + 1 : 0;
  lastTimes.delete(tenantId);
  lastTimes.set(tenantId, { now, count });
  const [first] = lastTimes.keys();
  if (lastTimes.size > MAX_TENANTS && first !== undefined) lastTimes.delete(first);
  return count;
}
