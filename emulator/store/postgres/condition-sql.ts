import { APPLICATION_TYPES } from '../../../src/contract/application-types.js';
import { TOKEN_TYPE_NAMES } from '../../../src/contract/token-types.js';
import { collectionOf } from '../collections.js';
import type { Bounds, Condition } from '../condition.js';
import { indexedValue } from '../matches.js';
import type { CollectionName } from '../records.js';
import { isIndexed, recordKey, TIME_COLUMNS } from './record-row.js';
import { encodeText, type TermHasher } from './terms.js';

/** The values of the term `type`, of which a wildcard selects some. */
const TYPES: readonly string[] = [...TOKEN_TYPE_NAMES, ...APPLICATION_TYPES];

/** What a term for the value of a metadata key begins with. */
const METADATA = 'metadata.';

/** Follows every text that begins with what is before it. */
const LAST_CHARACTER = '\u{10ffff}';

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const join = (parts: readonly string[], operator: 'AND' | 'OR', empty: string): string =>
  parts.length === 0 ? empty : `(${parts.join(` ${operator} `)})`;

/** Selects records of a collection: `r` in the text of a statement, whose parameters it gathers. */
export class Selection {
  readonly values: unknown[] = [];

  constructor(
    readonly collection: CollectionName,
    readonly tenantId: string | undefined,
    readonly hasher: TermHasher,
  ) {}

  /** Adds a parameter and returns its placeholder. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  addTerm(term: string, value: string): string {
    return this.add(this.#hash(term, value));
  }

  /** Restricts a statement to the records that meet a condition. */
  where(condition?: Condition): string {
    const parts = [`r.collection = '${this.collection}'`];
    if (this.tenantId !== undefined) parts.push(`r.tenant_id = ${this.add(this.tenantId)}`);
    if (condition !== undefined) parts.push(this.condition(condition));
    return parts.join(' AND ');
  }

  condition(condition: Condition): string {
    const sql = (part: Condition) => this.condition(part);
    if ('all' in condition) return join(condition.all.map(sql), 'AND', 'TRUE');
    if ('any' in condition) return this.#any(condition.any);
    if ('not' in condition) return `NOT ${sql(condition.not)}`;
    if ('ids' in condition) return this.#ids(condition.ids);
    if ('range' in condition) return this.#range(condition.range, condition);
    if ('is' in condition) return this.#terms([this.#hash(condition.term, condition.is)]);
    return this.#prefix(condition.term, condition.prefix);
  }

  #hash(term: string, value: string): string {
    if (this.tenantId === undefined) throw new Error('Terms are searched within a tenant only.');
    return this.hasher(this.collection, this.tenantId, term, indexedValue(term, value));
  }

  #ids(ids: readonly string[]): string {
    const { collection, tenantId } = this;
    return tenantId === undefined
      ? `r.id = ANY(${this.add(ids.map(encodeText))}::text[])`
      : `r.key = ANY(${this.add(ids.map((id) => recordKey(collection, tenantId, id)))}::text[])`;
  }

  /** Terms share one look into the index. */
  #any(parts: readonly Condition[]): string {
    const hashes = parts.flatMap((part) => ('is' in part ? [this.#hash(part.term, part.is)] : []));
    const others = parts.filter((part) => !('is' in part)).map((part) => this.condition(part));
    return join(hashes.length === 0 ? others : [this.#terms(hashes), ...others], 'OR', 'FALSE');
  }

  /** Selects the records that have one of the terms. */
  #terms(hashes: readonly string[]): string {
    if (!isIndexed(this.collection)) {
      const parts = hashes.map((hash) => `strpos(r.hashes, ${this.add(hash)}) > 0`);
      return join(parts, 'OR', 'FALSE');
    }
    return this.#hasTerm(
      hashes.length === 1 ? `= ${this.add(hashes[0])}` : `= ANY(${this.add(hashes)}::text[])`,
    );
  }

  #hasTerm(hash: string, more = ''): string {
    return `EXISTS (SELECT FROM tokenctl.terms t WHERE t.hash ${hash} AND t.created = r.created AND t.id = r.id${more})`;
  }

  #prefix(term: string, prefix: string): string {
    if (term === 'id') {
      const first = encodeText(prefix);
      return `(r.id >= ${this.add(first)} AND r.id < ${this.add(first + LAST_CHARACTER)})`;
    }
    if (!term.startsWith(METADATA)) {
      const hashes = TYPES.filter((type) => type.startsWith(prefix)).map((type) => this.#hash(term, type));
      return hashes.length === 0 ? 'FALSE' : this.#terms([...new Set(hashes)]);
    }
    const hash = this.addTerm('metadata', term.slice(METADATA.length));
    const start = this.add(encodeText(indexedValue(term, prefix)));
    return this.#hasTerm(`= ${hash}`, ` AND starts_with(t.text, ${start})`);
  }

  #range(term: string, bounds: Bounds): string {
    const position = Object.keys(collectionOf(this.collection).ordered).indexOf(term);
    const column = `r.${TIME_COLUMNS[position] ?? 'created'}`;
    const parts = Object.entries(OPERATORS).flatMap(([name, operator]) => {
      const bound = bounds[name as keyof Bounds];
      return bound === undefined ? [] : [`${column} ${operator} ${this.add(bound)}::float8::bigint`];
    });
    // Never null, which `NOT` would leave null.
    return join([`${column} IS NOT NULL`, ...parts], 'AND', 'TRUE');
  }
}
