import type { QueryConfig } from 'pg';
import { collectionOf } from '../collections.js';
import type { Operation } from '../operation.js';

/** Entries after which a tenant's log is trimmed, about. Those beyond the limit are never shown. */
const ENTRIES_PER_TRIM = 1_000;

/** Builds the statements that delete the log entries which newer ones push out, for the transaction that adds those. */
export function trimStatements(operations: readonly Operation[]): QueryConfig[] {
  const { keepLast } = collectionOf('log');
  const puts = operations.filter(({ op, revision }) => op === 'put' && revision % ENTRIES_PER_TRIM === 0);
  return puts.map(({ tenantId }) => ({
    text: `DELETE FROM tokenctl.records WHERE collection = 'log' AND tenant_id = $1 AND revision < (
         SELECT min(revision) FROM (
           SELECT revision FROM tokenctl.records WHERE collection = 'log' AND tenant_id = $1
           ORDER BY revision DESC LIMIT $2
         ) kept)`,
    values: [tenantId, keepLast],
  }));
}
