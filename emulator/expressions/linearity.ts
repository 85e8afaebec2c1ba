import type { Value } from 'liquidjs';
import { literal } from './fast-path.js';
import { serviceFilters } from './filters/index.js';
import { MAX_MAIN_THREAD_TEXT } from './limits.js';

/** Filters of this service, and standard filters, whose time and output are linear in their input, and which cannot multiply it. */
const LINEAR_FILTERS: ReadonlySet<string> = new Set([
  ...['abs', 'append', 'at_least', 'at_most', 'capitalize', 'ceil', 'default', 'divided_by'],
  ...['downcase', 'first', 'floor', 'last', 'minus', 'modulo', 'plus', 'prepend', 'round'],
  ...['size', 'slice', 'times', 'upcase'],
  ...serviceFilters.map(({ name }) => name),
]);

/** Filters that can double their input. */
const GROWING_FILTERS: ReadonlySet<string> = new Set([
  ...['append', 'prepend', 'json', 'json_stringify', 'to_base16'],
]);

/** Number of filters in one expression that the main thread evaluates. */
const MAX_LINEAR_FILTERS = 8;

/** Counts the operands, operators and filters; undefined when time or output of the expression is not linear. */
export function countSteps(value: Value, hasFastPath: boolean, text: string): number | undefined {
  const { initial, filters } = value;
  if (filters.length > MAX_LINEAR_FILTERS || filters.some(isExpensive)) return undefined;
  let growing = 0;
  for (const { name } of filters) {
    // What it returns is short, however long its input was.
    if (name === 'hmac') growing = 0;
    if (GROWING_FILTERS.has(name)) growing += 1;
    if (growing > 1) return undefined;
  }
  // A range can be far longer than its text.
  const isLinear =
    hasFastPath || (filters.every(({ name }) => LINEAR_FILTERS.has(name)) && !text.includes('..'));
  return isLinear ? initial.postfix.length + filters.length : undefined;
}

/** Whether the arguments of a filter make it expensive: long padding, or a JSONPath that visits more than one node per step. */
function isExpensive({ name, args }: Value['filters'][number]): boolean {
  const literals = args.map((argument) => literal(Array.isArray(argument) ? argument[1] : argument));
  if (name.startsWith('pad_'))
    return literals.some((one) => one === undefined || Number(one.value) > MAX_MAIN_THREAD_TEXT);
  return name === 'json' && literals.some((one) => /[*?]|\.\./.test(String(one?.value ?? '*')));
}
