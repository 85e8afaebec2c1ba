import type { Value } from 'liquidjs';
import { parseReferences } from './detokenize.js';
import { ExpressionFailure } from './errors.js';
import type { Json } from './json.js';
import { MAX_DEPTH, MAX_MAIN_THREAD_TEXT, MAX_MAIN_THREAD_WORK } from './limits.js';
import { jsonLength } from './size.js';
import { inputOf, type Task } from './task.js';
import { type Expression, parseTemplate } from './template.js';

/** Standard filters whose time and output are linear in their input, and which cannot multiply it. */
const LINEAR_FILTERS: ReadonlySet<string> = new Set([
  'abs',
  'append',
  'at_least',
  'at_most',
  'capitalize',
  'ceil',
  'default',
  'divided_by',
  'downcase',
  'first',
  'floor',
  'last',
  'minus',
  'modulo',
  'plus',
  'prepend',
  'round',
  'size',
  'slice',
  'times',
  'upcase',
]);

/** Filters that can double their input. */
const GROWING_FILTERS: ReadonlySet<string> = new Set(['append', 'prepend', 'json', 'json_stringify']);

/** Number of filters in one expression that the main thread evaluates. */
const MAX_LINEAR_FILTERS = 8;

/** Whether the main thread may run a task: the work is small, and known before it is done. */
export function isLight(task: Task): boolean {
  const steps = countSteps(task);
  if (steps === undefined) return false;
  if (steps === 0) return true;
  const limit = Math.floor(MAX_MAIN_THREAD_WORK / Math.max(1, steps));
  return jsonLength(inputOf(task), limit) <= limit;
}

/**
 * Counts the expressions and filters of a task.
 * @returns undefined when one of them is not linear, or the structure is too large to look at
 */
function countSteps({ kind, value }: Task): number | undefined {
  const steps = { count: 0, left: MAX_MAIN_THREAD_WORK };
  const onText = kind === 'structure' ? templateSteps : referenceSteps;
  return visit(value, 0, steps, onText) ? steps.count : undefined;
}

interface Steps {
  count: number;
  left: number;
}

function visit(
  value: Json,
  depth: number,
  steps: Steps,
  stepsOf: (text: string) => number | undefined,
): boolean {
  steps.left -= typeof value === 'string' ? value.length : 8;
  if (steps.left < 0 || depth > MAX_DEPTH) return false;
  if (typeof value === 'string') {
    const count = value.includes('{{') ? stepsOf(value) : 0;
    steps.count += count ?? 0;
    return count !== undefined;
  }
  if (typeof value !== 'object' || value === null) return true;
  for (const key in value) {
    if (!visit((value as Record<string, Json>)[key] as Json, depth + 1, steps, stepsOf)) return false;
  }
  return true;
}

function templateSteps(text: string): number | undefined {
  return stepsOf(text, (valid) => parseTemplate(valid).parts);
}

/** A plain reference costs one step. */
function referenceSteps(text: string): number | undefined {
  return stepsOf(text, (valid) =>
    parseReferences(valid).map((part) => (typeof part === 'string' ? part : (part.filters ?? PLAIN))),
  );
}

const PLAIN = Symbol('an expression without filters');

function stepsOf(
  text: string,
  parse: (text: string) => readonly (string | typeof PLAIN | Expression)[],
): number | undefined {
  if (text.length > MAX_MAIN_THREAD_TEXT) return undefined;
  try {
    let count = 0;
    for (const part of parse(text)) {
      if (typeof part === 'string') continue;
      if (part !== PLAIN && !isLinear(part, text)) return undefined;
      count += part === PLAIN ? 1 : part.value.initial.postfix.length + part.value.filters.length;
    }
    return count;
  } catch (error) {
    // The evaluation reports it.
    if (error instanceof ExpressionFailure) return 1;
    throw error;
  }
}

/** Whether the time and the output of an expression are linear in its input. */
function isLinear({ value: { filters }, fastPath }: Expression, text: string): boolean {
  if (filters.length > MAX_LINEAR_FILTERS || filters.some(isExpensive)) return false;
  if (filters.filter(({ name }) => GROWING_FILTERS.has(name)).length > 1) return false;
  // A range can be far longer than its text.
  return (
    fastPath !== undefined || (filters.every(({ name }) => LINEAR_FILTERS.has(name)) && !text.includes('..'))
  );
}

/** Whether the arguments of a filter make it expensive: long padding, or a JSONPath that visits more than one node per step. */
function isExpensive({ name, args }: Value['filters'][number]): boolean {
  const contents = args.map(contentOf);
  if (name === 'json') return contents.some((content) => /[*?]|\.\./.test(String(content)));
  return name.startsWith('pad_') && contents.some((content) => Number(content) > MAX_MAIN_THREAD_TEXT);
}

/** The content of a literal argument. */
function contentOf(argument: unknown): unknown {
  const token = Array.isArray(argument) ? argument[1] : argument;
  return typeof token === 'object' && token !== null && 'content' in token ? token.content : '*';
}
