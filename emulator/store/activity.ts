import { formatTimestamp } from '../lib/timestamps.js';
import type { TokenRecord } from './records.js';
import type { Insert, Remove, Store } from './store.js';

type CountedToken = Pick<TokenRecord, 'id' | 'tenant_id' | 'created_at'>;

/**
 * Monthly active tokens are those created, read or used in a calendar month (UTC), even if deleted since. A token created in
 * the month counts by itself, so that creating it takes no second record. An older one gets an entry when it is first read,
 * and one of the month gets it when it is deleted.
 */
export function activityOf(tokens: readonly CountedToken[], now: number): Insert<'activity'>[] {
  const month = monthOf(now);
  return tokens.filter((token) => !token.created_at.startsWith(month)).map((token) => entry(token, month));
}

/** Returns the changes that remove tokens but keep them counted. They must be committed together. */
export function removalOf(
  tokens: readonly (TokenRecord & { revision: number })[],
  now: number,
): (Remove | Insert<'activity'>)[] {
  const month = monthOf(now);
  return tokens.flatMap((token) => [
    { remove: 'tokens' as const, tenantId: token.tenant_id, id: token.id, revision: token.revision },
    ...(token.created_at.startsWith(month) ? [entry(token, month)] : []),
  ]);
}

/** Returns how many tokens of a tenant were active in the month of `now`. */
export async function monthlyActiveTokens(store: Store, tenantId: string, now: Date): Promise<number> {
  const begin = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const created = await store.find('tokens', {
    tenantId,
    where: { range: 'created_at', gte: begin, lt: end },
    limit: 0,
  });
  const others = await store.find('activity', {
    tenantId,
    where: { term: 'month', is: monthOf(now.getTime()) },
    limit: 0,
  });
  return created.total + others.total;
}

function entry(token: CountedToken, month: string): Insert<'activity'> {
  return {
    insert: 'activity',
    record: { id: `${month}:${token.id}`, tenant_id: token.tenant_id, month },
  };
}

/** Formats the month of a time in milliseconds since 1970 as `2026-11`, UTC. */
function monthOf(time: number): string {
  return formatTimestamp(time).slice(0, 7);
}
