import { APPLICATION_TYPES } from '../../../src/contract/application-types.js';
import { TOKEN_TYPE_NAMES } from '../../../src/contract/token-types.js';
import { collectionOf } from '../collections.js';
import type { Bounds, Condition } from '../condition.js';
import { indexedValue } from '../matches.js';
import type { CollectionName } from '../records.js';
import { isIndexed, recordKey, TIME_COLUMNS } from './record-row.js';
import type { TermHasher } from './term-hash.js';
import { encodeId, encodeText, idPrefixes, metadataKey } from './text.js';

/** The values of the parameters of a statement. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** The records that a statement is about: `r` in its text. */
export interface Scope {
  collection: CollectionName;
  /** Absent: all tenants. */
  tenantId?: string | undefined;
  hasher: TermHasher;
  parameters: Parameters;
}

/** The values of the term `type`, of which a wildcard selects some. */
const TYPES: readonly string[] = [...TOKEN_TYPE_NAMES, ...APPLICATION_TYPES];

/** Follows every text that begins with what is before it. */
const LAST_CHARACTER = '\u{10ffff}';

/** Translates a condition to SQL over the record `r`. */
export function conditionSql(condition: Condition, scope: Scope): string {
  const sql = (part: Condition) => conditionSql(part, scope);
  if ('all' in condition) return join(condition.all.map(sql), 'AND', 'TRUE');
  if ('any' in condition) return anySql(condition.any, scope);
  if ('not' in condition) return `NOT ${sql(condition.not)}`;
  if ('ids' in condition) return idsSql(condition.ids, scope);
  if ('range' in condition) return rangeSql(condition.range, condition, scope);
  if ('is' in condition) return termSql([termHash(condition.term, condition.is, scope)], scope);
  if (condition.term === 'id') return idPrefixSql(condition.prefix, scope);
  return prefixSql(condition.term, condition.prefix, scope);
}

function idsSql(ids: readonly string[], { collection, tenantId, parameters }: Scope): string {
  return tenantId === undefined
    ? `r.id = ANY(${parameters.add(ids.map(encodeId))}::text[])`
    : `r.key = ANY(${parameters.add(ids.map((id) => recordKey(collection, tenantId, id)))}::text[])`;
}

function idPrefixSql(prefix: string, { parameters }: Scope): string {
  const ranges = idPrefixes(prefix).map(
    (first) => `(r.id >= ${parameters.add(first)} AND r.id < ${parameters.add(first + LAST_CHARACTER)})`,
  );
  return join(ranges, 'OR', 'FALSE');
}

function join(parts: readonly string[], operator: 'AND' | 'OR', empty: string): string {
  return parts.length === 0 ? empty : `(${parts.join(` ${operator} `)})`;
}

/** Terms share one look into the index. */
function anySql(parts: readonly Condition[], scope: Scope): string {
  const terms = parts.flatMap((part) => ('is' in part ? [termHash(part.term, part.is, scope)] : []));
  const others = parts.filter((part) => !('is' in part)).map((part) => conditionSql(part, scope));
  return join(terms.length === 0 ? others : [termSql(terms, scope), ...others], 'OR', 'FALSE');
}

/** Hashes a term and the value that a condition asks for. */
export function termHash(term: string, value: string, { collection, tenantId, hasher }: Scope): string {
  if (tenantId === undefined) throw new Error('Terms are searched within a tenant only.');
  return hasher(collection, tenantId, term, indexedValue(term, value));
}

/** Selects the records that have one of the terms. */
function termSql(hashes: readonly string[], { collection, parameters }: Scope): string {
  if (!isIndexed(collection)) {
    return join(
      hashes.map((hash) => `strpos(r.hashes, ${parameters.add(hash)}) > 0`),
      'OR',
      'FALSE',
    );
  }
  const [only] = hashes;
  const isOne =
    hashes.length === 1 ? `= ${parameters.add(only)}` : `= ANY(${parameters.add(hashes)}::text[])`;
  return `EXISTS (SELECT FROM tokenctl.terms t WHERE t.hash ${isOne} AND t.created = r.created AND t.id = r.id)`;
}

function prefixSql(term: string, prefix: string, scope: Scope): string {
  const key = metadataKey(term);
  if (key === undefined) {
    const hashes = TYPES.filter((type) => type.startsWith(prefix)).map((type) => termHash(term, type, scope));
    return hashes.length === 0 ? 'FALSE' : termSql([...new Set(hashes)], scope);
  }
  const { parameters } = scope;
  const hash = parameters.add(termHash('metadata', key, scope));
  const start = parameters.add(encodeText(indexedValue(term, prefix)));
  return `EXISTS (SELECT FROM tokenctl.terms t WHERE t.hash = ${hash} AND t.created = r.created AND t.id = r.id AND starts_with(t.text, ${start}))`;
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function rangeSql(term: string, bounds: Bounds, { collection, parameters }: Scope): string {
  const position = Object.keys(collectionOf(collection).ordered).indexOf(term);
  const column = `r.${TIME_COLUMNS[position] ?? 'created'}`;
  const parts = Object.entries(OPERATORS).flatMap(([name, operator]) => {
    const bound = bounds[name as keyof Bounds];
    return bound === undefined ? [] : [`${column} ${operator} ${parameters.add(bound)}::float8::bigint`];
  });
  // Never null, which `NOT` would leave null.
  return join([`${column} IS NOT NULL`, ...parts], 'AND', 'TRUE');
}
