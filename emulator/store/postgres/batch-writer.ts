import type { Client } from 'pg';
import type { Operation } from '../operation.js';
import { isIndexed, type RecordRow, recordKey, TIME_COLUMNS } from './record-row.js';

/** The operations of a batch, reduced to what is left of them: the last one of each record after the last clear. */
interface Reduced {
  /** Tenants to clear; undefined stands for everything. */
  cleared: (string | undefined)[];
  /** Keys of all records that the batch inserts, replaces or removes. */
  keys: string[];
  puts: RecordRow[];
}

/** @param rows the row of each put */
function reduce(operations: readonly Operation[], rows: ReadonlyMap<Operation, RecordRow>): Reduced {
  const cleared: Reduced['cleared'] = [];
  const records = new Map<string, { tenantId: string; row: RecordRow | undefined }>();
  for (const operation of operations) {
    if (operation.op === 'clear') {
      cleared.push(operation.tenantId);
      for (const [key, { tenantId }] of records) {
        if (operation.tenantId === undefined || operation.tenantId === tenantId) records.delete(key);
      }
      continue;
    }
    const { collection, tenantId } = operation;
    const row = rows.get(operation);
    const key = row?.key ?? recordKey(collection, tenantId, operation.op === 'remove' ? operation.id : '');
    records.set(key, { tenantId, row });
  }
  return { cleared, keys: [...records.keys()], puts: [...records.values()].flatMap(({ row }) => row ?? []) };
}

/**
 * Writes the operations of a batch.
 * @param hasKey whether the database had a record with a key at the beginning of the batch
 */
export async function writeOperations(
  client: Client,
  operations: readonly Operation[],
  rows: ReadonlyMap<Operation, RecordRow>,
  hasKey: (key: string) => boolean,
): Promise<void> {
  const { cleared, keys, puts } = reduce(operations, rows);
  for (const tenantId of cleared) await clear(client, tenantId);
  const old = keys.filter(hasKey);
  if (old.length > 0) await deleteRecords(client, old);
  if (puts.length > 0) await insertRecords(client, puts);
}

/** Begins a statement that deletes the terms of some records, ten characters of `hashes` each, and takes them off the counts. */
const deleteIndex = (condition: string) => `
  WITH old AS (SELECT r.id, r.created, r.hashes, r.counted FROM tokenctl.records r WHERE ${condition}),
  terms AS (
    DELETE FROM tokenctl.terms t USING old, generate_series(1, length(old.hashes), 10) AS at
    WHERE t.hash = substr(old.hashes, at, 10) AND t.created = old.created AND t.id = old.id
  ),
  counts AS (
    UPDATE tokenctl.counts c SET total = c.total - gone.total FROM (
      SELECT substr(old.hashes, at, 10) AS hash, count(*) AS total
      FROM old, generate_series(1, old.counted * 10, 10) AS at GROUP BY 1
    ) gone WHERE c.hash = gone.hash
  )`;

const AMONG = 'r.key = ANY($1::text[])';
const OF_TENANT = 'r.tenant_id = $1';

async function clear(client: Client, tenantId: string | undefined): Promise<void> {
  if (tenantId === undefined) {
    await client.query(
      'DELETE FROM tokenctl.terms; DELETE FROM tokenctl.counts; DELETE FROM tokenctl.records',
    );
    return;
  }
  await client.query(`${deleteIndex(OF_TENANT)} DELETE FROM tokenctl.records r WHERE ${OF_TENANT}`, [
    tenantId,
  ]);
}

async function deleteRecords(client: Client, keys: readonly string[]): Promise<void> {
  await client.query({
    name: 'delete',
    text: `${deleteIndex(AMONG)} DELETE FROM tokenctl.records r WHERE ${AMONG}`,
    values: [keys],
  });
}

const INSERT = `
  WITH records AS (
    INSERT INTO tokenctl.records
      (key, collection, tenant_id, id, revision, created, hashes, counted, record, ${TIME_COLUMNS.join(', ')})
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[],
      $8::integer[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[])
  ),
  terms AS (
    INSERT INTO tokenctl.terms (hash, created, id, text)
    SELECT * FROM unnest($14::text[], $15::bigint[], $16::text[], $17::text[])
  )
  INSERT INTO tokenctl.counts AS c (hash, total) SELECT * FROM unnest($18::text[], $19::bigint[])
  ON CONFLICT (hash) DO UPDATE SET total = c.total + excluded.total`;

async function insertRecords(client: Client, puts: readonly RecordRow[]): Promise<void> {
  const terms = puts.flatMap(({ collection, created, id, terms }) =>
    isIndexed(collection) ? terms.map(({ hash, text }) => ({ hash, created, id, text })) : [],
  );
  const counts = new Map<string, number>();
  for (const { counted } of puts) for (const hash of counted) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  await client.query({
    name: 'insert',
    text: INSERT,
    values: [
      puts.map((row) => row.key),
      puts.map((row) => row.collection),
      puts.map((row) => row.tenantId),
      puts.map((row) => row.id),
      puts.map((row) => row.revision),
      puts.map((row) => row.created),
      puts.map(hashesOf),
      puts.map((row) => row.counted.length),
      puts.map((row) => row.record),
      ...TIME_COLUMNS.map((_, i) => puts.map((row) => row.times[i] ?? null)),
      terms.map(({ hash }) => hash),
      terms.map(({ created }) => created),
      terms.map(({ id }) => id),
      terms.map(({ text }) => text),
      [...counts.keys()],
      [...counts.values()],
    ],
  });
}

/** The hashes of a record, those that are counted first. */
function hashesOf({ counted, terms }: RecordRow): string {
  const others = terms.map(({ hash }) => hash).filter((hash) => !counted.includes(hash));
  return [...counted, ...others].join('');
}
