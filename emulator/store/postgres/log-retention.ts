import type { QueryConfig } from 'pg';
import { collectionOf } from '../collections.js';
import type { RecordChange } from '../record-change.js';

/** Changes after which a tenant's log is trimmed, about. */
const CHANGES_PER_TRIM = 10_000;

const ENTRIES = "tokenctl.records WHERE collection = 'log' AND tenant_id = $1";

/** Selects when the oldest entry was created that is kept, if there are as many. */
const OLDEST_KEPT = `(SELECT created FROM ${ENTRIES} ORDER BY created DESC OFFSET $2::bigint - 1 LIMIT 1)`;

/** Builds the statements that delete the log entries which newer ones push out, for the transaction that adds those. */
export function trimStatements(changes: readonly RecordChange[]): QueryConfig[] {
  const { retention } = collectionOf('log');
  const puts = changes.filter(({ op, revision }) => op === 'put' && revision % CHANGES_PER_TRIM === 0);
  return retention ? puts.map(({ tenantId = '' }) => trimStatement(tenantId, retention)) : [];
}

/** Builds the statement that deletes all but a number of entries. @param kept how many */
export const trimStatement = (tenantId: string, kept: number): QueryConfig => ({
  text: `DELETE FROM ${ENTRIES} AND created < ${OLDEST_KEPT}`,
  values: [tenantId, kept],
});

/** Builds the statement that reads when the oldest entry was created, if older ones may have been dropped. */
export const oldestStatement = (tenantId: string, kept: number): QueryConfig => ({
  text: `SELECT created FROM ${ENTRIES} AND ${OLDEST_KEPT} IS NOT NULL ORDER BY created LIMIT 1`,
  values: [tenantId, kept],
});
