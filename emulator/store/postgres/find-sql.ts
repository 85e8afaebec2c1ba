import type { QueryConfig } from 'pg';
import type { Condition } from '../condition.js';
import type { CollectionName } from '../records.js';
import type { Query } from '../store.js';
import { Selection } from './condition-sql.js';
import { collectionHash, isCounted, isIndexed } from './record-row.js';
import type { TermHasher } from './terms.js';

/** One row of the result of `findStatement`. Without a record there is only the total. */
export type FoundRow = { total: string; tenant_id: string | null; record: string };

/**
 * Builds the statement that reads a page and counts what matches, both from one snapshot.
 *
 * All records of a tenant, and those with a term that many share, are counted already. What is excluded by time, as expired
 * tokens are, is counted by itself and subtracted: it is little.
 */
export function findStatement(
  collection: CollectionName,
  { tenantId, where, offset = 0, limit, maxBytes, countTo }: Query<CollectionName>,
  hasher: TermHasher,
): QueryConfig {
  const selection = new Selection(collection, tenantId, hasher);
  const { values } = selection;
  const total = countSql(where, selection, countTo);
  if (limit === 0) return { text: `SELECT ${total} AS total, NULL AS tenant_id`, values };
  const paging = [
    limit === undefined || limit === Number.POSITIVE_INFINITY ? '' : `LIMIT ${selection.add(limit)}`,
    offset === 0 ? '' : `OFFSET ${selection.add(offset)}`,
  ].join(' ');
  const page = `SELECT r.tenant_id, r.id, r.created, r.record ${pageSql(where, selection)} ${paging}`;
  const bounded = maxBytes === undefined ? page : boundedSql(page, selection.add(maxBytes));
  const text = `SELECT ${total} AS total, p.tenant_id, p.record
    FROM (VALUES (1)) one LEFT JOIN (${bounded}) p ON true ORDER BY p.created DESC, p.id`;
  return { text, values };
}

/** Builds the statement that finds a record other than one with this id. */
export function firstMatchStatement(
  collection: CollectionName,
  tenantId: string,
  where: Condition,
  exceptId: string,
  hasher: TermHasher,
): QueryConfig {
  const selection = new Selection(collection, tenantId, hasher);
  const condition = `${selection.where(where)} AND r.id <> ${selection.add(exceptId)}`;
  const text = `SELECT r.id FROM tokenctl.records r WHERE ${condition} ORDER BY r.created DESC, r.id LIMIT 1`;
  return { text, values: selection.values };
}

/** Selects the records of all pages, in their order. */
function pageSql(where: Condition | undefined, selection: Selection): string {
  const { excluded, required } = splitCondition(where);
  const [term, ...more] = required;
  const isOfTerm = selection.tenantId !== undefined && isIndexed(selection.collection) && more.length === 0;
  if (!isOfTerm || term === undefined || !('is' in term))
    return `FROM tokenctl.records r WHERE ${selection.where(where)} ORDER BY r.created DESC, r.id`;
  // Follows the index of terms whatever the server knows of the tables: it would sort all records with a frequent term.
  const hash = selection.addTerm(term.term, term.is);
  const condition = selection.where({ all: excluded.map((not) => ({ not })) });
  return `FROM tokenctl.terms t CROSS JOIN LATERAL (
      SELECT * FROM tokenctl.records r WHERE ${condition} AND r.created = t.created AND r.id = t.id OFFSET 0
    ) r WHERE t.hash = ${hash} ORDER BY t.created DESC, t.id`;
}

function splitCondition(where: Condition | undefined): { required: Condition[]; excluded: Condition[] } {
  const parts = where === undefined ? [] : 'all' in where ? where.all : [where];
  return {
    required: parts.filter((part) => !('not' in part && 'range' in part.not)),
    excluded: parts.flatMap((part) => ('not' in part && 'range' in part.not ? [part.not] : [])),
  };
}

function countSql(where: Condition | undefined, selection: Selection, countTo?: number): string {
  const { required, excluded } = splitCondition(where);
  const all = requiredCountSql(required, selection);
  if (all === undefined) {
    const bound = countTo === undefined ? '' : `LIMIT ${selection.add(countTo)}`;
    return `(SELECT count(*) FROM (SELECT FROM tokenctl.records r WHERE ${selection.where(where)} ${bound}) m)`;
  }
  if (excluded.length === 0) return all;
  // The records of all tenants that a condition on times excludes are selected first: they are few.
  const condition = `r.collection = '${selection.collection}' AND ${selection.condition({ any: excluded })}`;
  const gone = `(SELECT * FROM tokenctl.records r WHERE ${condition} OFFSET 0) r`;
  return `(${all} - (SELECT count(*) FROM ${gone} WHERE ${selection.where({ all: required })}))`;
}

/** Counts all records of a tenant, or those with or without one term, without looking at them; undefined for other conditions. */
function requiredCountSql(required: readonly Condition[], selection: Selection): string | undefined {
  const { collection, tenantId, hasher } = selection;
  if (tenantId === undefined || !isIndexed(collection) || required.length > 1) return undefined;
  const [only] = required;
  if (only === undefined) return countedSql(selection.add(collectionHash(hasher, collection, tenantId)));
  if ('not' in only && 'is' in only.not)
    return `(${requiredCountSql([], selection)} - ${requiredCountSql([only.not], selection)})`;
  if (!('is' in only)) return undefined;
  const hash = selection.addTerm(only.term, only.is);
  return isCounted(collection, only.term)
    ? countedSql(hash)
    : `(SELECT count(*) FROM tokenctl.terms t WHERE t.hash = ${hash})`;
}

const countedSql = (hash: string): string =>
  `coalesce((SELECT total FROM tokenctl.counts WHERE hash = ${hash}), 0)`;

/** Ends a page after the record that reaches the number of bytes. */
function boundedSql(page: string, maxBytes: string): string {
  return `SELECT b.tenant_id, b.id, b.created, b.record FROM (
    SELECT r.*, sum(octet_length(r.record)) OVER (
      ORDER BY r.created DESC, r.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS before FROM (${page}) r
  ) b WHERE coalesce(b.before, 0) < ${maxBytes}`;
}
