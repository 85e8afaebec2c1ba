import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { collectionOf } from '../collections.js';
import type { Change } from '../store.js';
import { sendTogether, withLiveConnection } from './connection.js';

/** The tenants that a commit excludes others from, in order. */
export type LockedTenants = readonly string[] | 'all';

export function lockedBy(changes: readonly Change[]): LockedTenants {
  if (changes.some((change) => 'clear' in change && change.clear === 'everything')) return 'all';
  return [...new Set(changes.map(tenantOf))].sort();
}

/** The tenant that a change is of; that of a clear of everything is none. */
export function tenantOf(change: Change): string {
  if ('insert' in change) return collectionOf(change.insert).tenantOf(change.record);
  if ('replace' in change) return collectionOf(change.replace).tenantOf(change.record);
  return 'tenantId' in change ? change.tenantId : '';
}

/** A transaction that has begun, on a connection that is to be given back. */
export interface Transaction {
  client: PoolClient;
  /** The highest revision in use. */
  revision: number;
  results: QueryResult[];
}

/** Begins a transaction that excludes all others from some tenants, and executes statements. Waits for theirs alone. */
export const beginExclusively = (
  pool: Pool,
  tenants: LockedTenants,
  statements: readonly QueryConfig[],
): Promise<Transaction> =>
  withLiveConnection(async () => {
    const client = await pool.connect();
    try {
      const lookup = [lockStatement(tenants), ...statements];
      // Each statement sees what was committed before it began: those after the lock see all commits.
      const all = await sendTogether(client, [tenants === 'all' ? BEGIN_ALL : 'BEGIN', ...lookup]);
      const [lock, ...results] = all.slice(-lookup.length);
      const revisions = (lock?.rows ?? []).map(({ revision }) => Number(revision));
      return { client, revision: Math.max(0, ...revisions), results };
    } catch (error) {
      client.release(true);
      throw error;
    }
  });

/** The lock of the table waits for those of its rows, and they for it. Reading goes on. */
const BEGIN_ALL = 'BEGIN; LOCK TABLE tokenctl.tenant_locks IN EXCLUSIVE MODE';

/** Creates the rows of tenants that have none. One that another transaction creates or has locked is waited for. */
function lockStatement(tenants: LockedTenants): QueryConfig {
  if (tenants === 'all') return { text: 'SELECT max(revision) AS revision FROM tokenctl.tenant_locks' };
  return {
    name: 'lock',
    text: `INSERT INTO tokenctl.tenant_locks AS t (tenant_id, revision) SELECT id, 0 FROM unnest($1::text[]) id ORDER BY id
      ON CONFLICT (tenant_id) DO UPDATE SET revision = t.revision RETURNING revision`,
    values: [tenants],
  };
}
