import { outputExceeded } from './budget.js';
import { assertTextLength } from './filter-failures.js';
import { MAX_OUTPUT_LENGTH } from './limits.js';

/** Filters that read arrays and objects as such. All other standard filters convert their input to text first. */
const STRUCTURE_FILTERS: ReadonlySet<string> = new Set([
  'first',
  'last',
  'reverse',
  'sort',
  'sort_natural',
  'size',
  'map',
  'sum',
  'compact',
  'concat',
  'push',
  'unshift',
  'pop',
  'shift',
  'slice',
  'where',
  'reject',
  'where_exp',
  'reject_exp',
  'group_by',
  'group_by_exp',
  'has',
  'has_exp',
  'find',
  'find_exp',
  'find_index',
  'find_index_exp',
  'uniq',
  'sample',
  'default',
]);

/**
 * Charges what a filter would build before it builds it. An array may contain the same large value many times, so that
 * its text is far longer than the data.
 * @throws BudgetExceededFailure
 */
export function assertInputLength(name: string, value: unknown, args: readonly unknown[]): void {
  if (STRUCTURE_FILTERS.has(name)) return;
  for (const part of [value, ...args]) if (typeof part === 'object' && part !== null) assertTextLength(part);
  if (name === 'replace') assertReplacementLength(value, args);
  else if (name === 'join') assertJoinedLength(value, args);
}

function assertReplacementLength(value: unknown, [pattern, replacement]: readonly unknown[]): void {
  const [text, search, insert] = [String(value ?? ''), String(pattern ?? ''), String(replacement ?? '')];
  const matches = search === '' ? text.length + 1 : countMatches(text, search);
  if (text.length + matches * insert.length > MAX_OUTPUT_LENGTH) throw outputExceeded();
}

function countMatches(text: string, search: string): number {
  let count = 0;
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) count += 1;
  return count;
}

function assertJoinedLength(value: unknown, [separator]: readonly unknown[]): void {
  const gaps = Array.isArray(value) ? value.length : 0;
  if (gaps * String(separator ?? ' ').length > MAX_OUTPUT_LENGTH) throw outputExceeded();
}
