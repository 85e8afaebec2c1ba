import { jsonLength } from '../lib/json-bounds.js';
import { outputExceeded } from './budget.js';
import { ExpressionFailure } from './errors.js';
import { MAX_OUTPUT_LENGTH } from './limits.js';

/** Replaces an error that a filter threw, since its message may contain data. */
export function toFilterFailure(name: string, error: unknown): unknown {
  if (error instanceof ExpressionFailure || isLimitError(error)) return error;
  return new ExpressionFailure(`filter "${name}" does not accept this value`);
}

/** Whether Liquid stopped the evaluation at its limit of time or memory. */
export function isLimitError(error: unknown): boolean {
  return error instanceof Error && / limit exceeded/.test(error.message);
}

/** @throws BudgetExceededFailure when the result is a string longer than all results together may be */
export function assertResultLength(result: unknown): void {
  if (typeof result === 'string' && result.length > MAX_OUTPUT_LENGTH) throw outputExceeded();
}

/** Measures a value that is about to become text. @throws BudgetExceededFailure when the text would be too long */
export function assertTextLength(value: unknown): void {
  if (jsonLength(value, MAX_OUTPUT_LENGTH) > MAX_OUTPUT_LENGTH) throw outputExceeded();
}

/** Filters that read arrays and objects as such. All other standard filters convert their input to text first. */
const STRUCTURE_FILTERS: ReadonlySet<string> = new Set([
  ...['first', 'last', 'reverse', 'sort', 'sort_natural', 'size', 'map', 'sum', 'compact'],
  ...['concat', 'push', 'unshift', 'pop', 'shift', 'slice', 'where', 'reject', 'where_exp'],
  ...['reject_exp', 'group_by', 'group_by_exp', 'has', 'has_exp', 'find', 'find_exp'],
  ...['find_index', 'find_index_exp', 'uniq', 'sample', 'default'],
]);

/** Charges what a filter would build: an array may contain the same large value many times. */
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
