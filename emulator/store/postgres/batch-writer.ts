import type { QueryConfig } from 'pg';
import type { PendingChanges } from '../pending-changes.js';
import type { RecordChange } from '../record-change.js';
import { isIndexed, type RecordRow, recordKey, TIME_COLUMNS } from './record-row.js';
import type { LockedTenants } from './tenant-locks.js';

/** What identifies a batch. */
interface BatchHeader {
  /** Get the revision of the batch. */
  tenants: LockedTenants;
  /** The highest revision that the batch may have used. */
  revision: number;
  /** Who writes it, and its number there. */
  writer: string;
  batch: number;
}

/**
 * Builds the statements that write the changes of a batch.
 * @param rows the row of each put
 * @param hasKey whether the database had a record with a key at the beginning of the batch
 */
export function writeStatements(
  header: BatchHeader,
  { cleared, last }: PendingChanges,
  rows: ReadonlyMap<RecordChange, RecordRow>,
  hasKey: (key: string) => boolean,
): QueryConfig[] {
  const keys = last.map((change) =>
    change.op === 'put' ? rows.get(change)?.key : recordKey(change.collection, change.tenantId, change.id),
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

/** Which records a statement deletes. */
const CONDITIONS = { 'delete-keys': 'r.key = ANY($1::text[])', 'delete-tenant': 'r.tenant_id = $1' };

/**
 * Deletes some records with their terms, ten characters of `hashes` each, and takes those off the counts. The hashes are listed
 * first, so that each term is found by its whole key.
 */
const deleteStatement = (name: keyof typeof CONDITIONS, value: unknown): QueryConfig => ({
  name,
  text: `
    WITH gone AS MATERIALIZED (
      SELECT substr(r.hashes, at, 10) AS hash, r.created, r.id, at < r.counted * 10 AS counted
      FROM tokenctl.records r, generate_series(1, length(r.hashes), 10) AS at WHERE ${CONDITIONS[name]}
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

const INSERT = `
  WITH tenants AS (
    INSERT INTO tokenctl.tenant_locks (tenant_id, revision) SELECT id, $3::bigint FROM unnest($4::text[]) AS id
    ON CONFLICT (tenant_id) DO UPDATE SET revision = excluded.revision
  ),
  writer AS (
    INSERT INTO tokenctl.writers (id, batch) VALUES ($1, $2)
    ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, seen_at = now()
  ),
  terms AS (
    INSERT INTO tokenctl.terms (hash, created, id, text)
    SELECT * FROM unnest($18::text[], $19::bigint[], $20::text[], $21::text[])
  ),
  counts AS (
    INSERT INTO tokenctl.counts AS c (hash, total) SELECT * FROM unnest($22::text[], $23::bigint[])
    ON CONFLICT (hash) DO UPDATE SET total = c.total + excluded.total
  )
  INSERT INTO tokenctl.records
    (key, collection, tenant_id, id, revision, created, hashes, counted, record, ${TIME_COLUMNS.join(', ')})
  SELECT * FROM unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::bigint[],
    $11::text[], $12::integer[], $13::text[], $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[])`;

function insertStatement(header: BatchHeader, puts: readonly RecordRow[]): QueryConfig {
  const terms = puts.flatMap(({ collection, created, id, terms }) =>
    isIndexed(collection) ? terms.map(({ hash, text }) => ({ hash, created, id, text })) : [],
  );
  const counts = new Map<string, number>();
  for (const { counted } of puts) for (const hash of counted) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return {
    name: 'insert',
    text: INSERT,
    values: [
      header.writer,
      header.batch,
      header.revision,
      header.tenants === 'all' ? [...new Set(puts.map(({ tenantId }) => tenantId))] : header.tenants,
      puts.map(({ key }) => key),
      puts.map(({ collection }) => collection),
      puts.map(({ tenantId }) => tenantId),
      puts.map(({ id }) => id),
      puts.map(({ revision }) => revision),
      puts.map(({ created }) => created),
      puts.map(hashesOf),
      puts.map(({ counted }) => counted.length),
      puts.map(({ record }) => record),
      ...TIME_COLUMNS.map((_, i) => puts.map(({ times }) => times[i] ?? null)),
      terms.map(({ hash }) => hash),
      terms.map(({ created }) => created),
      terms.map(({ id }) => id),
      terms.map(({ text }) => text),
      [...counts.keys()],
      [...counts.values()],
    ],
  };
}

/** The hashes of a record, those that are counted first. */
function hashesOf({ counted, terms }: RecordRow): string {
  const others = terms.map(({ hash }) => hash).filter((hash) => !counted.includes(hash));
  return [...counted, ...others].join('');
}
