import { DateTime } from 'luxon';
import { QuerySyntaxError } from '../../../../src/contract/search-query/syntax-error.js';
import type { Bounds, Condition } from '../../../store/condition.js';

type Term = 'created_at' | 'modified_at';
type Where = Condition<'tokens'>;
type Bound = keyof Bounds;

const COMPARISON = /^(>=|<=|>|<)(.+)$/s;
const BOUNDS: Record<string, Bound> = { '>=': 'gte', '<=': 'lte', '>': 'gt', '<': 'lt' };

/**
 * Compiles a comparison: `created_at:2030-01-31` matches the whole day (UTC), a date with a time that instant. The value
 * may start with `>`, `>=`, `<` or `<=`.
 */
export function dateCondition(term: Term, text: string, column: number | undefined): Where {
  const comparison = COMPARISON.exec(text);
  const bound = BOUNDS[comparison?.[1] ?? ''];
  if (bound !== undefined) return { range: term, ...toBounds(bound, comparison?.[2] ?? '', column) };
  return { range: term, ...toBounds('gte', text, column), ...toBounds('lte', text, column) };
}

/** Compiles `[min TO max]` or `{min TO max}`; `*` is an open end. */
export function dateRange(
  term: Term,
  min: string,
  max: string,
  inclusive: 'both' | 'left' | 'right' | 'none',
  column: number | undefined,
): Where {
  const lower = inclusive === 'both' || inclusive === 'left' ? 'gte' : 'gt';
  const upper = inclusive === 'both' || inclusive === 'right' ? 'lte' : 'lt';
  const bounds = {
    ...(min !== '*' && toBounds(lower, min, column)),
    ...(max !== '*' && toBounds(upper, max, column)),
  };
  return { range: term, ...(Object.keys(bounds).length > 0 ? bounds : { gte: 0 }) };
}

const DAY_MS = 86_400_000;

/** Converts a bound to milliseconds. A date without a time is the whole day, so that `<=` and `TO` include it. */
function toBounds(bound: Bound, text: string, column: number | undefined): Bounds {
  const date = DateTime.fromISO(text, { zone: 'utc' });
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || !date.isValid) {
    throw new QuerySyntaxError(
      'compares a date field with a value that is not an ISO 8601 date or date-time',
      column,
    );
  }
  const start = date.toMillis();
  if (text.length > 'yyyy-mm-dd'.length) return { [bound]: start };
  if (bound === 'lte') return { lt: start + DAY_MS };
  return bound === 'gt' ? { gte: start + DAY_MS } : { [bound]: start };
}
