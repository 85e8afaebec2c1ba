import type { QueryConfig } from 'pg';
import type { PendingChanges } from '../pending-changes.js';
import type { RecordChange } from '../record-change.js';
import { type RecordRow, recordKey } from './record-row.js';
import type { LockedTenants } from './tenant-locks.js';
import { HASH_LENGTH } from './terms.js';

interface BatchHeader {
  tenants: LockedTenants;
  revision: number;
  writer: string;
  batch: number;
}

/** Builds the statements that write a batch. @param hasKey whether the database had a record with a key before */
export function writeStatements(
  header: BatchHeader,
  { cleared, last }: PendingChanges,
  rows: ReadonlyMap<RecordChange, RecordRow>,
  hasKey: (key: string) => boolean,
): QueryConfig[] {
  const keys = last.map((change) =>
    change.op === 'put'
      ? rows.get(change)?.columns.key
      : recordKey(change.collection, change.tenantId, change.id),
  );
  const old = keys.filter((key) => key !== undefined && hasKey(key));
  return [
    ...(header.tenants === 'all'
      ? [{ text: 'UPDATE tokenctl.tenant_locks SET revision = $1', values: [header.revision] }]
      : []),
    ...cleared.map(clearStatement),
    ...(old.length > 0 ? [deleteStatement('delete-keys', old)] : []),
    insertStatement(
      header,
      last.flatMap((change) => rows.get(change) ?? []),
    ),
  ];
}

const CONDITIONS = { 'delete-keys': 'r.key = ANY($1::text[])', 'delete-tenant': 'r.tenant_id = $1' };

/** Deletes records with their terms and counts. The hashes are listed first: each term is found by its whole key. */
const deleteStatement = (name: keyof typeof CONDITIONS, value: unknown): QueryConfig => ({
  name,
  text: `
    WITH gone AS MATERIALIZED (
      SELECT substr(r.hashes, at, ${HASH_LENGTH}) AS hash, r.created, r.id, at < r.counted * ${HASH_LENGTH} AS counted
      FROM tokenctl.records r, generate_series(1, length(r.hashes), ${HASH_LENGTH}) AS at WHERE ${CONDITIONS[name]}
    ),
    terms AS (
      DELETE FROM tokenctl.terms t USING gone
      WHERE t.hash = gone.hash AND t.created = gone.created AND t.id = gone.id
    ),
    counts AS (
      UPDATE tokenctl.counts c SET total = c.total - less.total
      FROM (SELECT hash, count(*) AS total FROM gone WHERE counted GROUP BY hash) less WHERE c.hash = less.hash
    )
    DELETE FROM tokenctl.records r WHERE ${CONDITIONS[name]}`,
  values: [value],
});

const clearStatement = (tenantId: string | undefined): QueryConfig =>
  tenantId === undefined
    ? { text: 'DELETE FROM tokenctl.terms; DELETE FROM tokenctl.counts; DELETE FROM tokenctl.records' }
    : deleteStatement('delete-tenant', tenantId);

/** The parameters are a JSON text each but for those of the writer: the server parses it as fast as arrays of each column. */
const INSERT = `
  WITH tenants AS (
    INSERT INTO tokenctl.tenant_locks SELECT * FROM json_populate_recordset(NULL::tokenctl.tenant_locks, $3)
    ON CONFLICT (tenant_id) DO UPDATE SET revision = excluded.revision
  ),
  writer AS (
    INSERT INTO tokenctl.writers (id, batch) VALUES ($1, $2)
    ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, seen_at = now()
  ),
  terms AS (INSERT INTO tokenctl.terms SELECT * FROM json_populate_recordset(NULL::tokenctl.terms, $4)),
  counts AS (
    INSERT INTO tokenctl.counts AS c SELECT * FROM json_populate_recordset(NULL::tokenctl.counts, $5)
    ON CONFLICT (hash) DO UPDATE SET total = c.total + excluded.total
  )
  INSERT INTO tokenctl.records SELECT * FROM json_populate_recordset(NULL::tokenctl.records, $6)`;

function insertStatement({ tenants, revision, writer, batch }: BatchHeader, rows: readonly RecordRow[]) {
  const written = tenants === 'all' ? [...new Set(rows.map(({ columns }) => columns.tenant_id))] : tenants;
  const counts = new Map<string, number>();
  for (const { counted } of rows) for (const hash of counted) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  const json = [
    written.map((tenant_id) => ({ tenant_id, revision })),
    rows.flatMap(({ terms }) => terms),
    [...counts].map(([hash, total]) => ({ hash, total })),
    rows.map(({ columns }) => columns),
  ].map((all) => JSON.stringify(all));
  return { name: 'insert', text: INSERT, values: [writer, batch, ...json] };
}
