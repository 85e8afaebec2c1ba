import type { Condition } from '../condition.js';
import type { CollectionName } from '../records.js';
import type { Query } from '../store.js';
import { conditionSql, Parameters, type Scope, termHash } from './condition-sql.js';
import { collectionHash, isCounted, isIndexed } from './record-row.js';
import type { TermHasher } from './term-hash.js';

interface Statement {
  text: string;
  values: unknown[];
}

/** One row of the result of `findStatement`. Without a record there is only the total. */
export interface FoundRow {
  total: string;
  tenant_id: string | null;
  id: string;
  record: string;
}

/**
 * Builds the statement that reads a page and counts what matches, both from one snapshot.
 *
 * All records of a tenant, and those with a term that many share, are counted already. What is excluded by time, as expired
 * tokens are, is counted by itself and subtracted: it is little.
 */
export function findStatement(
  collection: CollectionName,
  { tenantId, where, offset = 0, limit, maxBytes }: Query<CollectionName>,
  hasher: TermHasher,
): Statement {
  const parameters = new Parameters();
  const scope: Scope = { collection, tenantId, hasher, parameters };
  const total = countSql(where, scope);
  if (limit === 0) return { text: `SELECT ${total} AS total, NULL AS tenant_id`, values: parameters.values };
  const paging = [
    limit === undefined || limit === Number.POSITIVE_INFINITY ? '' : `LIMIT ${parameters.add(limit)}`,
    offset === 0 ? '' : `OFFSET ${parameters.add(offset)}`,
  ].join(' ');
  const page = `SELECT r.tenant_id, r.id, r.created, r.record ${pageSql(where, scope)} ${paging}`;
  const bounded = maxBytes === undefined ? page : boundedSql(page, parameters.add(maxBytes));
  return {
    text: `SELECT ${total} AS total, p.tenant_id, p.id, p.record FROM (VALUES (1)) one LEFT JOIN (${bounded}) p ON true ORDER BY p.created DESC, p.id`,
    values: parameters.values,
  };
}

/** Selects the records of all pages, in their order. */
function pageSql(where: Condition | undefined, scope: Scope): string {
  const { excluded, required } = splitCondition(where);
  const [term] = required;
  if (
    scope.tenantId === undefined ||
    !isIndexed(scope.collection) ||
    required.length !== 1 ||
    !term ||
    !('is' in term)
  )
    return `FROM tokenctl.records r WHERE ${whereSql(where, scope)} ORDER BY r.created DESC, r.id`;
  // Follows the index of terms whatever the server knows of the tables: it would sort all records with a frequent term.
  const hash = scope.parameters.add(termHash(term.term, term.is, scope));
  const condition = whereSql({ all: excluded.map((not) => ({ not })) }, scope);
  return `FROM tokenctl.terms t CROSS JOIN LATERAL (
      SELECT * FROM tokenctl.records r WHERE ${condition} AND r.created = t.created AND r.id = t.id OFFSET 0
    ) r WHERE t.hash = ${hash} ORDER BY t.created DESC, t.id`;
}

/** Splits a condition in what it requires, and the times that it excludes. */
function splitCondition(where: Condition | undefined): { required: Condition[]; excluded: Condition[] } {
  const parts = where === undefined ? [] : 'all' in where ? where.all : [where];
  return {
    required: parts.filter((part) => !('not' in part && 'range' in part.not)),
    excluded: parts.flatMap((part) => ('not' in part && 'range' in part.not ? [part.not] : [])),
  };
}

/** Builds the statement that finds a record other than one with this id. */
export function firstMatchStatement(
  collection: CollectionName,
  tenantId: string,
  where: Condition,
  exceptId: string,
  hasher: TermHasher,
): Statement {
  const parameters = new Parameters();
  const scope: Scope = { collection, tenantId, hasher, parameters };
  const condition = whereSql(where, scope);
  const text = `SELECT r.id FROM tokenctl.records r WHERE ${condition} AND r.id <> ${parameters.add(exceptId)} ORDER BY r.created DESC, r.id LIMIT 1`;
  return { text, values: parameters.values };
}

function whereSql(where: Condition | undefined, scope: Scope): string {
  const { collection, tenantId, parameters } = scope;
  const parts = [`r.collection = '${collection}'`];
  if (tenantId !== undefined) parts.push(`r.tenant_id = ${parameters.add(tenantId)}`);
  if (where !== undefined) parts.push(conditionSql(where, scope));
  return parts.join(' AND ');
}

function countSql(where: Condition | undefined, scope: Scope): string {
  const { required, excluded } = splitCondition(where);
  const all = requiredCountSql(required, scope);
  if (all === undefined) return `(SELECT count(*) FROM tokenctl.records r WHERE ${whereSql(where, scope)})`;
  if (excluded.length === 0) return all;
  return `(${all} - (SELECT count(*) FROM ${excludedSql(excluded, scope)} WHERE ${whereSql({ all: required }, scope)}))`;
}

/** The records of all tenants that a condition on times excludes. They are selected first: they are few. */
function excludedSql(excluded: Condition[], scope: Scope): string {
  const condition = conditionSql({ any: excluded }, scope);
  return `(SELECT * FROM tokenctl.records r WHERE r.collection = '${scope.collection}' AND ${condition} OFFSET 0) r`;
}

/** Counts all records of a tenant, or those with or without one term, without looking at them; undefined for other conditions. */
function requiredCountSql(required: readonly Condition[], scope: Scope): string | undefined {
  const { collection, tenantId, hasher, parameters } = scope;
  if (tenantId === undefined || !isIndexed(collection) || required.length > 1) return undefined;
  const [only] = required;
  if (only === undefined) return countedSql(parameters.add(collectionHash(hasher, collection, tenantId)));
  if ('not' in only && 'is' in only.not)
    return `(${requiredCountSql([], scope)} - ${requiredCountSql([only.not], scope)})`;
  if (!('is' in only)) return undefined;
  const hash = parameters.add(termHash(only.term, only.is, scope));
  return isCounted(collection, only.term)
    ? countedSql(hash)
    : `(SELECT count(*) FROM tokenctl.terms t WHERE t.hash = ${hash})`;
}

function countedSql(hash: string): string {
  return `coalesce((SELECT total FROM tokenctl.counts WHERE hash = ${hash}), 0)`;
}

/** Ends a page after the record that reaches the number of bytes. */
function boundedSql(page: string, maxBytes: string): string {
  return `SELECT b.tenant_id, b.id, b.created, b.record FROM (
    SELECT r.*, sum(octet_length(r.record)) OVER (
      ORDER BY r.created DESC, r.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS before FROM (${page}) r
  ) b WHERE coalesce(b.before, 0) < ${maxBytes}`;
}
