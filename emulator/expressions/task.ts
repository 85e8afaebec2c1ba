import type { Json } from '../../src/contract/json.js';
import { jsonLength } from '../lib/json-bounds.js';
import type { EvaluationBudget } from './budget.js';
import { type DetokenizedToken, findReferences, parseReferences, replaceReferences } from './detokenize.js';
import { ExpressionFailure } from './errors.js';
import type { Scope } from './evaluate.js';
import { MAX_DEPTH, MAX_MAIN_THREAD_TEXT, MAX_MAIN_THREAD_WORK } from './limits.js';
import { evaluateStructure } from './structure.js';
import { parseTemplate } from './template.js';

/** One evaluation. Its result depends on nothing else than the task and the time, so that any thread can run it. */
export type Task = {
  readonly value: Json;
  /** The path of the value in the request, the prefix of the paths in errors. */
  readonly path: string;
} & (
  | { readonly kind: 'structure'; readonly scope: Scope } // evaluates every string of a structure, or one text
  | { readonly kind: 'references' } // finds the tokens that a payload refers to
  | { readonly kind: 'detokenize'; readonly tokens: Readonly<Record<string, DetokenizedToken>> } // replaces them
);

/** Runs a task on this thread. @throws ExpressionError */
export function runTask(task: Task, budget: EvaluationBudget): Json | undefined {
  switch (task.kind) {
    case 'structure':
      return evaluateStructure(task.value, task.scope, task.path, budget);
    case 'references':
      return findReferences(task.value, task.path, budget);
    case 'detokenize':
      return replaceReferences(task.value, task.path, new Map(Object.entries(task.tokens)), budget);
  }
}

/** The values that the expressions of a task read. */
function inputOf(task: Task): unknown {
  if (task.kind === 'structure') return task.scope;
  return task.kind === 'detokenize' ? task.tokens : null;
}

/** Whether the main thread may run a task: the work is small, and known before it is done. */
export function isLight(task: Task): boolean {
  const steps = countSteps(task);
  if (steps === undefined) return false;
  if (steps === 0) return true;
  const limit = Math.floor(MAX_MAIN_THREAD_WORK / Math.max(1, steps));
  return jsonLength(inputOf(task), limit) <= limit;
}

/** Counts the expressions and filters of a task; undefined if one is not linear, or the structure is too large. */
function countSteps({ kind, value }: Task): number | undefined {
  const steps = { count: 0, left: MAX_MAIN_THREAD_WORK };
  const onText = kind === 'structure' ? templateSteps : referenceSteps;
  return visit(value, 0, steps, onText) ? steps.count : undefined;
}

type Steps = { count: number; left: number };

function visit(value: Json, depth: number, steps: Steps, stepsOf: (text: string) => number | undefined) {
  const expression = typeof value === 'string' && value.includes('{{') ? value : undefined;
  // A text without expressions is passed on, however long it is.
  steps.left -= expression?.length ?? 8;
  if (steps.left < 0 || depth > MAX_DEPTH) return false;
  if (expression !== undefined) {
    const count = stepsWithin(expression, stepsOf);
    steps.count += count ?? 0;
    return count !== undefined;
  }
  if (typeof value !== 'object' || value === null) return true;
  for (const key in value)
    if (!visit((value as Record<string, Json>)[key] as Json, depth + 1, steps, stepsOf)) return false;
  return true;
}

function stepsWithin(text: string, stepsOf: (text: string) => number | undefined): number | undefined {
  if (text.length > MAX_MAIN_THREAD_TEXT) return undefined;
  try {
    return stepsOf(text);
  } catch (error) {
    // The evaluation reports it.
    if (error instanceof ExpressionFailure) return 1;
    throw error;
  }
}

const templateSteps = (text: string): number | undefined => parseTemplate(text).steps;

/** A plain reference costs one step. */
function referenceSteps(text: string): number | undefined {
  let count = 0;
  for (const part of parseReferences(text)) {
    if (typeof part === 'string') continue;
    const steps = part.filters === null ? 1 : part.filters.steps;
    if (steps === undefined) return undefined;
    count += steps;
  }
  return count;
}
