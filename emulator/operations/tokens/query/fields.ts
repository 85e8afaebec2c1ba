import { DateTime } from 'luxon';
import { QuerySyntaxError } from '../../../../src/contract/search-query/syntax-error.js';
import type { Bounds, Condition } from '../../../store/condition.js';

/** The unescaped value of a term. */
export interface Value {
  readonly text: string;
  /** Whether the value ends in a `*` that is neither quoted nor escaped; `text` is the part before it. */
  readonly wildcard: boolean;
  readonly column: number | undefined;
}

type Where = Condition<'tokens'>;
type Inclusive = 'both' | 'left' | 'right' | 'none';

interface Field {
  readonly match: (value: Value) => Where;
  /** Compiles `[a TO b]`; only for dates. */
  readonly range?: (min: string, max: string, inclusive: Inclusive, column: number | undefined) => Where;
}

const exact = (term: 'fingerprint' | 'created_by' | 'modified_by', lower = false): Field => ({
  match: (value) => ({ term, is: lower ? rejectWildcard(value).toLowerCase() : rejectWildcard(value) }),
});

/**
 * `created_at:2030-01-31` matches the whole day (UTC), a date with a time that instant. The value may start with `>`, `>=`, `<` or
 * `<=`. In `[min TO max]` and `{min TO max}`, `*` is an open end.
 */
const dates = (term: 'created_at' | 'modified_at'): Field => ({
  match(value) {
    const text = rejectWildcard(value);
    const [, comparison = '', compared = ''] = COMPARISON.exec(text) ?? [];
    const bound = BOUNDS[comparison];
    if (bound !== undefined) return { range: term, ...toBounds(bound, compared, value.column) };
    return { range: term, ...toBounds('gte', text, value.column), ...toBounds('lte', text, value.column) };
  },
  range(min, max, inclusive, column) {
    const lower = inclusive === 'both' || inclusive === 'left' ? 'gte' : 'gt';
    const upper = inclusive === 'both' || inclusive === 'right' ? 'lte' : 'lt';
    const bounds = {
      ...(min !== '*' && toBounds(lower, min, column)),
      ...(max !== '*' && toBounds(upper, max, column)),
    };
    return { range: term, ...(Object.keys(bounds).length > 0 ? bounds : { gte: 0 }) };
  },
});

type Bound = keyof Bounds;

const COMPARISON = /^(>=|<=|>|<)(.+)$/s;
const BOUNDS: Record<string, Bound> = { '>=': 'gte', '<=': 'lte', '>': 'gt', '<': 'lt' };

/** The searchable fields (decisions.md, "Search and tokenize"). */
const FIELDS: Readonly<Record<string, Field>> = {
  id: { match: ({ text, wildcard }) => (wildcard ? { term: 'id', prefix: text } : { ids: [text] }) },
  type: {
    match: ({ text, wildcard }) => (wildcard ? { term: 'type', prefix: text } : { term: 'type', is: text }),
  },
  container: { match: (value) => ({ term: 'container', is: toContainer(rejectWildcard(value)) }) },
  fingerprint: exact('fingerprint'),
  // An exact, case-sensitive match with an evaluated search index; a `*` in it is an ordinary character.
  data: { match: ({ text, wildcard }) => ({ term: 'search', is: wildcard ? `${text}*` : text }) },
  created_by: exact('created_by', true),
  modified_by: exact('modified_by', true),
  created_at: dates('created_at'),
  modified_at: dates('modified_at'),
};

const METADATA = 'metadata.';

/** Finds a field by name. @throws QuerySyntaxError for an unknown field */
export function findField(name: string, column?: number): Field {
  if (Object.hasOwn(FIELDS, name)) return FIELDS[name] as Field;
  if (name.startsWith(METADATA) && name.length > METADATA.length)
    return metadata(name as `metadata.${string}`);
  throw new QuerySyntaxError(
    `has an unknown field; the fields are ${Object.keys(FIELDS).join(', ')} and metadata.<key>`,
    column,
  );
}

function metadata(term: `metadata.${string}`): Field {
  return { match: ({ text, wildcard }) => (wildcard ? { term, prefix: text } : { term, is: text }) };
}

function toContainer(text: string): string {
  const lower = text.toLowerCase();
  return lower.endsWith('/') ? lower : `${lower}/`;
}

function rejectWildcard({ text, wildcard, column }: Value): string {
  if (wildcard) throw new QuerySyntaxError('may have wildcards on id, type and metadata only', column);
  return text;
}

const DAY_MS = 86_400_000;

/** Converts a bound to milliseconds. A date without a time is the whole day, so that `<=` and `TO` include it. */
function toBounds(bound: Bound, text: string, column: number | undefined): Bounds {
  const date = DateTime.fromISO(text, { zone: 'utc' });
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || !date.isValid)
    throw new QuerySyntaxError(
      'compares a date field with a value that is not an ISO 8601 date or date-time',
      column,
    );
  const start = date.toMillis();
  if (text.length > 'yyyy-mm-dd'.length) return { [bound]: start };
  if (bound === 'lte') return { lt: start + DAY_MS };
  return bound === 'gt' ? { gte: start + DAY_MS } : { [bound]: start };
}
