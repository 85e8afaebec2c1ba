import type { QueryConfig } from 'pg';
import { collectionOf } from '../collections.js';
import type { RecordChange } from '../record-change.js';
import type { Retention } from '../retention.js';

/** Changes after which a tenant's log is trimmed, about. */
const CHANGES_PER_TRIM = 10_000;

const ENTRIES = "tokenctl.records WHERE collection = 'log' AND tenant_id = $1";

/** Builds the statements that delete the log entries which newer ones push out, for the transaction that adds those. */
export function trimStatements(changes: readonly RecordChange[]): QueryConfig[] {
  const { retention } = collectionOf('log');
  const puts = changes.filter(({ op, revision }) => op === 'put' && revision % CHANGES_PER_TRIM === 0);
  return retention ? puts.map(({ tenantId = '' }) => trimStatement(tenantId, retention)) : [];
}

/** Builds the statement that deletes what a retention does not keep (../retention.ts). */
export function trimStatement(tenantId: string, { records, ageMs, mostRecords }: Retention): QueryConfig {
  return {
    text: `DELETE FROM ${ENTRIES} AND created < greatest(
      ${newest('$3')}, least(coalesce(${newest('$2')}, 0), ${newest('1')} - $4::bigint))`,
    values: [tenantId, records, mostRecords, ageMs],
  };
}

/** Builds the statement that reads when the oldest entry was created, if older ones may have been dropped. */
export function oldestStatement(tenantId: string, { records }: Retention): QueryConfig {
  return {
    text: `SELECT created FROM ${ENTRIES} AND ${newest('$2')} IS NOT NULL ORDER BY created LIMIT 1`,
    values: [tenantId, records],
  };
}

/** Selects when the entry was created that is one of a number of newest ones, if there are as many. */
function newest(number: string): string {
  return `(SELECT created FROM ${ENTRIES} ORDER BY created DESC OFFSET ${number}::bigint - 1 LIMIT 1)`;
}
