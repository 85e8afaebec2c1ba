import type { Value } from 'liquidjs';
import { literal } from './fast-path.js';
import { MAX_MAIN_THREAD_TEXT } from './limits.js';

/** Standard filters whose time and output are linear in their input, and which cannot multiply it. */
const LINEAR_FILTERS: ReadonlySet<string> = new Set([
  ...['abs', 'append', 'at_least', 'at_most', 'capitalize', 'ceil', 'default', 'divided_by'],
  ...['downcase', 'first', 'floor', 'last', 'minus', 'modulo', 'plus', 'prepend', 'round'],
  ...['size', 'slice', 'times', 'upcase'],
]);

/** Filters that can double their input. */
const GROWING_FILTERS: ReadonlySet<string> = new Set([
  ...['append', 'prepend', 'json', 'json_stringify', 'to_base16'],
]);

/** Number of filters in one expression that the main thread evaluates. */
const MAX_LINEAR_FILTERS = 8;

/**
 * Counts the operands, operators and filters of an expression, each of which reads its input at most once.
 * @param hasFastPath the expression consists of filters of this service only
 * @param text the text that contains the expression
 * @returns undefined when the time or the output of the expression is not linear in its input
 */
export function countSteps(value: Value, hasFastPath: boolean, text: string): number | undefined {
  const { initial, filters } = value;
  if (filters.length > MAX_LINEAR_FILTERS || filters.some(isExpensive)) return undefined;
  if (filters.filter(({ name }) => GROWING_FILTERS.has(name)).length > 1) return undefined;
  // A range can be far longer than its text.
  const isLinear =
    hasFastPath || (filters.every(({ name }) => LINEAR_FILTERS.has(name)) && !text.includes('..'));
  return isLinear ? initial.postfix.length + filters.length : undefined;
}

/** Whether the arguments of a filter make it expensive: long padding, or a JSONPath that visits more than one node per step. */
function isExpensive({ name, args }: Value['filters'][number]): boolean {
  const contents = args.map(
    (argument) => literal(Array.isArray(argument) ? argument[1] : argument)?.value ?? '*',
  );
  if (name === 'json') return contents.some((content) => /[*?]|\.\./.test(String(content)));
  return name.startsWith('pad_') && contents.some((content) => Number(content) > MAX_MAIN_THREAD_TEXT);
}
