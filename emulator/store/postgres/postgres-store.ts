import type { Pool, PoolClient } from 'pg';
import { COLLECTION_NAMES, collectionOf } from '../collections.js';
import { matches } from '../matches.js';
import type { CollectionName } from '../records.js';
import type { Insert, Query, SharedStore, Store } from '../store.js';
import { query, withConnection } from './connection.js';
import { type FoundRow, findStatement } from './find-sql.js';
import { oldestStatement } from './log-retention.js';
import type { PostgresTargetOptions } from './postgres-target.js';
import { recordKey } from './record-row.js';
import { PostgresSharedStore } from './shared-store.js';
import type { TenantQueues } from './tenant-queues.js';

/** Records that one fetch of a copy reads. */
const FETCHED_RECORDS = 50;

interface PostgresStoreOptions extends PostgresTargetOptions {
  queues: TenantQueues;
  pool: Pool;
}

/** Creates the store over the tables of a PostgreSQL database (decisions.md, "Storage on PostgreSQL"). */
export function createPostgresStore(options: PostgresStoreOptions): Store & { readonly shared: SharedStore } {
  const { queues, pool, commitPool, cipher, hasher } = options;
  /** The name of the record is part of what is authenticated: the id is that of the text. */
  const decrypt = <N extends CollectionName>(collection: N, tenantId: string, text: string) => {
    const stored = JSON.parse(text) as { id: string };
    return cipher.decrypt({ collection, tenantId, id: stored.id }, stored);
  };
  return {
    shared: new PostgresSharedStore(options),
    async get(collection, tenantId, id) {
      const { rows } = await query<{ record: string }>(pool, {
        name: 'get',
        text: 'SELECT record FROM tokenctl.records WHERE key = $1',
        values: [recordKey(collection, tenantId, id)],
      });
      return rows[0] && decrypt(collection, tenantId, rows[0].record);
    },
    async find(collection, wanted) {
      const { tenantId, where, offset = 0, limit = Number.POSITIVE_INFINITY } = wanted;
      if (collection === 'log' || collection === 'activity')
        await queues.writeEntries(tenantId === undefined ? 'all' : [tenantId]);
      const [{ rows }, completeFrom] = await Promise.all([
        query<FoundRow>(pool, findStatement(collection, wanted as Query<CollectionName>, hasher)),
        findCompleteFrom(pool, collection, tenantId),
      ]);
      const total = Number(rows[0]?.total);
      const found = rows.flatMap(({ tenant_id, record }) =>
        tenant_id === null ? [] : [decrypt(collection, tenant_id, record)],
      );
      const nextOffset = offset + found.length;
      const isCut = found.length > 0 && found.length < limit && nextOffset < total;
      return {
        // Terms are found by their hash, which another term may share.
        records: found.filter(
          (record) => where === undefined || matches(collectionOf(collection), record, where as never),
        ),
        total,
        ...(completeFrom !== undefined && { completeFrom }),
        ...(isCut && wanted.maxBytes !== undefined && { nextOffset }),
      };
    },
    commit: (changes) => queues.commit(changes),
    record: (entries) => queues.record(entries),
    async copy(each) {
      await queues.writeEntries('all');
      await withConnection(pool, async (client) => {
        for await (const { collection, tenant_id: tenantId, record: text } of storedRecords(client)) {
          const { revision: _, ...record } = decrypt(collection, tenantId, text);
          await each({ insert: collection, record } as Insert);
        }
      });
    },
    async close() {
      await queues.close();
      for (const one of [pool, commitPool]) if (!one.ended) await one.end();
    },
  };
}

async function findCompleteFrom(pool: Pool, collection: CollectionName, tenantId: string | undefined) {
  const { retention } = collectionOf(collection);
  if (retention === undefined || tenantId === undefined) return undefined;
  const { rows } = await query<{ created: string }>(pool, oldestStatement(tenantId, retention));
  return rows[0] && Number(rows[0].created);
}

type StoredRow = { collection: CollectionName; tenant_id: string; record: string };

/** Reads all records of one moment, collection by collection and tenant by tenant, the oldest first. */
async function* storedRecords(client: PoolClient): AsyncGenerator<StoredRow> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  for (const name of COLLECTION_NAMES) {
    // The order is that of an index, so that nothing is sorted.
    await client.query(
      `DECLARE "${name}" NO SCROLL CURSOR FOR SELECT collection, tenant_id, record FROM tokenctl.records
       WHERE collection = '${name}' ORDER BY tenant_id DESC, created, id DESC`,
    );
    let rows: StoredRow[];
    do {
      ({ rows } = await client.query<StoredRow>(`FETCH ${FETCHED_RECORDS} FROM "${name}"`));
      yield* rows;
    } while (rows.length > 0);
  }
  await client.query('COMMIT');
}
