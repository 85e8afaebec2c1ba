import type { Client } from 'pg';
import { collectionOf } from '../collections.js';
import type { Operation } from '../operation.js';
import { type RecordRow, TIME_COLUMNS } from './record-row.js';
import { encodeId } from './text.js';

/** The operations of a batch, reduced to what is left of them: the last one of each record after the last clear. */
interface Reduced {
  /** Tenants to clear; undefined stands for everything. */
  cleared: (string | undefined)[];
  /** Keys of all records that the batch replaces or removes, whether they exist or not. */
  touched: [collection: string, tenantId: string, id: string][];
  puts: RecordRow[];
}

/** @param rows the row of each put */
function reduce(operations: readonly Operation[], rows: ReadonlyMap<Operation, RecordRow>): Reduced {
  const cleared: Reduced['cleared'] = [];
  const records = new Map<string, { key: Reduced['touched'][number]; row: RecordRow | undefined }>();
  for (const operation of operations) {
    if (operation.op === 'clear') {
      cleared.push(operation.tenantId);
      for (const [name, { key }] of records) {
        if (operation.tenantId === undefined || key[1] === operation.tenantId) records.delete(name);
      }
      continue;
    }
    const { collection, tenantId } = operation;
    const id = encodeId(operation.op === 'put' ? operation.record.id : operation.id);
    records.set([collection, tenantId, id].join('\0'), {
      key: [collection, tenantId, id],
      row: rows.get(operation),
    });
  }
  const all = [...records.values()];
  return {
    cleared,
    touched: all.map(({ key }) => key),
    puts: all.flatMap(({ row }) => row ?? []),
  };
}

/**
 * Writes the operations of a batch.
 * @param exists whether the database had a record at the beginning of the batch
 */
export async function writeOperations(
  client: Client,
  operations: readonly Operation[],
  rows: ReadonlyMap<Operation, RecordRow>,
  exists: (collection: string, tenantId: string, id: string) => boolean,
): Promise<void> {
  const { cleared, touched, puts } = reduce(operations, rows);
  for (const tenantId of cleared) await clear(client, tenantId);
  const old = touched.filter(([collection, tenantId, id]) => exists(collection, tenantId, id));
  if (old.length > 0) await deleteRecords(client, old);
  if (puts.length > 0) await insertRecords(client, puts);
}

/** The terms of the records that `r` selects are those in its column `hashes`, ten characters each. */
const DELETE_TERMS = `DELETE FROM tokenctl.terms t USING (
  SELECT substr(r.hashes, at, 10) AS hash, r.created, r.id
  FROM tokenctl.records r, generate_series(1, length(r.hashes), 10) AS at`;
const OF_TERMS = ') old WHERE t.hash = old.hash AND t.created = old.created AND t.id = old.id';

async function clear(client: Client, tenantId: string | undefined): Promise<void> {
  if (tenantId === undefined) {
    await client.query('DELETE FROM tokenctl.terms; DELETE FROM tokenctl.records');
    return;
  }
  await client.query(`${DELETE_TERMS} WHERE r.tenant_id = $1 ${OF_TERMS}`, [tenantId]);
  await client.query('DELETE FROM tokenctl.records WHERE tenant_id = $1', [tenantId]);
}

async function deleteRecords(client: Client, keys: Reduced['touched']): Promise<void> {
  const values = [0, 1, 2].map((column) => keys.map((key) => key[column]));
  const among = `(r.collection, r.tenant_id, r.id) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))`;
  await client.query({ name: 'delete-terms', text: `${DELETE_TERMS} WHERE ${among} ${OF_TERMS}`, values });
  await client.query({
    name: 'delete-records',
    text: `DELETE FROM tokenctl.records r WHERE ${among}`,
    values,
  });
}

async function insertRecords(client: Client, puts: readonly RecordRow[]): Promise<void> {
  const times = TIME_COLUMNS.map((_, i) => puts.map((row) => row.times[i] ?? null));
  await client.query({
    name: 'insert-records',
    text: `INSERT INTO tokenctl.records (collection, tenant_id, id, revision, created, hashes, record, ${TIME_COLUMNS.join(', ')})
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
        $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])`,
    values: [
      puts.map((row) => row.collection),
      puts.map((row) => row.tenantId),
      puts.map((row) => row.id),
      puts.map((row) => row.revision),
      puts.map((row) => row.created),
      puts.map((row) => row.terms.map(({ hash }) => hash).join('')),
      puts.map((row) => row.record),
      ...times,
    ],
  });
  await insertTerms(client, puts);
}

async function insertTerms(client: Client, puts: readonly RecordRow[]): Promise<void> {
  const rows = puts.flatMap(({ collection, created, id, terms }) =>
    collectionOf(collection as 'log').keepLast === undefined
      ? terms.map(({ hash, text }) => ({ hash, created, id, text }))
      : [],
  );
  if (rows.length === 0) return;
  await client.query({
    name: 'insert-terms',
    text: `INSERT INTO tokenctl.terms (hash, created, id, text)
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[])`,
    values: [
      rows.map(({ hash }) => hash),
      rows.map(({ created }) => created),
      rows.map(({ id }) => id),
      rows.map(({ text }) => text),
    ],
  });
}
