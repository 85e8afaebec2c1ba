import type { QueryConfig } from 'pg';
import { collectionOf } from '../collections.js';
import type { Operation } from '../operation.js';
import type { Retention } from '../retention.js';

/** Changes after which a tenant's log is trimmed, about. */
const CHANGES_PER_TRIM = 10_000;

/** The entries of a tenant, whose id is `$1`. */
const ENTRIES = "tokenctl.records WHERE collection = 'log' AND tenant_id = $1";

/** Builds the statements that delete the log entries which newer ones push out, for the transaction that adds those. */
export function trimStatements(operations: readonly Operation[]): QueryConfig[] {
  const { retention } = collectionOf('log');
  if (retention === undefined) return [];
  const puts = operations.filter(({ op, revision }) => op === 'put' && revision % CHANGES_PER_TRIM === 0);
  return puts.flatMap(({ tenantId }) => (tenantId === undefined ? [] : trimStatement(tenantId, retention)));
}

/** Builds the statement that deletes what a retention does not keep (../retention.ts). */
export function trimStatement(tenantId: string, { records, ageMs, mostRecords }: Retention): QueryConfig {
  const newest = (number: string) =>
    `(SELECT revision FROM ${ENTRIES} ORDER BY revision DESC OFFSET ${number}::bigint - 1 LIMIT 1)`;
  const young = `(SELECT revision FROM ${ENTRIES} AND created >= (
    SELECT created - $4::bigint FROM ${ENTRIES} ORDER BY revision DESC LIMIT 1
  ) ORDER BY revision LIMIT 1)`;
  return {
    text: `DELETE FROM ${ENTRIES}
      AND revision < greatest(${newest('$3')}, least(coalesce(${newest('$2')}, 0), ${young}))`,
    values: [tenantId, records, mostRecords, ageMs],
  };
}

/** Builds the statement that reads when the oldest entry was created, if older ones may have been dropped. */
export function oldestStatement(tenantId: string, { records }: Retention): QueryConfig {
  return {
    text: `SELECT created FROM ${ENTRIES}
      AND (SELECT revision FROM ${ENTRIES} ORDER BY revision DESC OFFSET $2::bigint - 1 LIMIT 1) IS NOT NULL
      ORDER BY revision LIMIT 1`,
    values: [tenantId, records],
  };
}
