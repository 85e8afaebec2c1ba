import { EvaluationBudget } from '../../../emulator/expressions/budget.js';
import { evaluateWithin } from '../../../emulator/expressions/evaluate.js';
import type { Json } from '../../../emulator/expressions/index.js';
import { MAX_EVALUATION_MS, MAX_OUTPUT_LENGTH } from '../../../emulator/expressions/limits.js';
import { evaluateStructure as evaluateWithBudget } from '../../../emulator/expressions/structure.js';

type Scope = Readonly<Record<string, unknown>>;

/** The whole budget of a request. */
export function fullBudget(now: number): EvaluationBudget {
  return new EvaluationBudget({ now, timeMs: MAX_EVALUATION_MS, outputLength: MAX_OUTPUT_LENGTH });
}

export function evaluateText(text: string, scope: Scope, now: number): Json | undefined {
  return evaluateWithin(fullBudget(now), text, scope);
}

export function evaluateStructure(value: Json, scope: Scope, path: string, now: number): Json | undefined {
  return evaluateWithBudget(value, scope, path, fullBudget(now));
}
