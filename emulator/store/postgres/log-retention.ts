import type { Client } from 'pg';
import { collectionOf } from '../collections.js';
import type { Operation } from '../operation.js';

/** A tenant's log is trimmed with about every so many entries: more than are kept are never shown. */
const ENTRIES_PER_TRIM = 1_000;

/** Deletes the log entries that newer ones push out, in the transaction that adds those. */
export async function trimLog(client: Client, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) {
    if (operation.op !== 'put' || operation.revision % ENTRIES_PER_TRIM !== 0) continue;
    const { tenantId } = operation;
    const { keepLast } = collectionOf('log');
    await client.query(
      `DELETE FROM tokenctl.records WHERE collection = 'log' AND tenant_id = $1 AND revision < (
         SELECT min(revision) FROM (
           SELECT revision FROM tokenctl.records WHERE collection = 'log' AND tenant_id = $1
           ORDER BY revision DESC LIMIT $2
         ) kept)`,
      [tenantId, keepLast],
    );
  }
}
