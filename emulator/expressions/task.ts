import type { EvaluationBudget } from './budget.js';
import { type DetokenizedToken, findReferences, replaceReferences } from './detokenize.js';
import type { Scope } from './evaluate.js';
import type { Json } from './json.js';
import { evaluateStructure } from './structure.js';

/** One evaluation. Its result depends on nothing else than the task and the time, so that any thread can run it. */
export type Task = StructureTask | ReferencesTask | DetokenizeTask;

/** Evaluates every string of a structure, or one text. */
interface StructureTask {
  readonly kind: 'structure';
  readonly value: Json;
  readonly scope: Scope;
  /** The path of the value in the request, the prefix of the paths in errors. */
  readonly path: string;
}

/** Finds the tokens that a payload refers to. */
interface ReferencesTask {
  readonly kind: 'references';
  readonly value: Json;
  readonly path: string;
}

/** Replaces the references of a payload. */
interface DetokenizeTask {
  readonly kind: 'detokenize';
  readonly value: Json;
  readonly path: string;
  readonly tokens: Readonly<Record<string, DetokenizedToken>>;
}

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
export function inputOf(task: Task): unknown {
  if (task.kind === 'structure') return task.scope;
  return task.kind === 'detokenize' ? task.tokens : null;
}
