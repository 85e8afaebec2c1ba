import { formatTimestamp } from '../lib/timestamps.js';
import type { Records, Stored, TokenRecord } from '../store/records.js';
import type { Change, Insert, Store } from '../store/store.js';

type CountedToken = Pick<TokenRecord, 'id' | 'tenant_id' | 'created_at'>;

/**
 * Monthly active tokens are those created, read or used in a calendar month (UTC), even if deleted since. A token created in
 * the month counts by itself, so that creating it takes no second record. An older one gets an entry when it is first read,
 * and one of the month gets it when it is deleted. Entries of deleted tokens and of past months are folded into a number, so
 * that nothing grows with what was deleted.
 */
export function activityOf(tokens: readonly CountedToken[], now: number): Insert<'activity'>[] {
  const month = monthOf(now);
  return tokens.filter((token) => !token.created_at.startsWith(month)).map((token) => entry(token, month));
}

/** Returns the changes that remove tokens but keep them counted. They must be committed together. */
export function removalOf(tokens: readonly (TokenRecord & { revision: number })[], now: number) {
  const month = monthOf(now);
  return tokens.flatMap((token) => [
    { remove: 'tokens' as const, tenantId: token.tenant_id, id: token.id, revision: token.revision },
    ...(token.created_at.startsWith(month) ? [entry(token, month, true)] : []),
  ]);
}

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
  const folded = await store.get('activity', tenantId, monthOf(now.getTime()));
  return created.total + others.total + (folded?.count ?? 0);
}

type Activity = Stored<Records['activity']>;

/** Returns the entries that can be folded: of deleted tokens, or of the month before that of `now`. */
export async function findFoldable(store: Store, tenantId: string, now: number, limit: number) {
  const begin = new Date(now);
  const previous = monthOf(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() - 1));
  const { records } = await store.find('activity', {
    tenantId,
    where: {
      any: [
        { term: 'deleted', is: 'true' },
        { term: 'month', is: previous },
      ],
    },
    limit,
  });
  return records;
}

/** Replaces entries of a tenant by their number, for each month. @throws ConflictError another process does the same */
export async function foldEntries(store: Store, entries: readonly Activity[]): Promise<void> {
  for (const month of new Set(entries.flatMap((one) => one.month ?? []))) {
    const group = entries.filter((one) => one.month === month);
    const [{ tenant_id: tenantId }] = group as [Activity];
    const known = await store.get('activity', tenantId, month);
    const count = (known?.count ?? 0) + group.length;
    await store.commit([
      ...group.map(({ id, revision }): Change => ({ remove: 'activity', tenantId, id, revision })),
      known
        ? { replace: 'activity', record: { ...known, count } }
        : { insert: 'activity', record: { id: month, tenant_id: tenantId, month, count } },
    ]);
  }
}

function entry({ id, tenant_id }: CountedToken, month: string, deleted = false): Insert<'activity'> {
  return {
    insert: 'activity',
    record: { id: `${month}:${id}`, tenant_id, month, ...(deleted && { deleted }) },
  };
}

const monthOf = (time: number): string => formatTimestamp(time).slice(0, 7);
