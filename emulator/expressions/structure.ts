import type { FieldErrors } from '../../src/contract/index.js';
import type { Json } from '../../src/contract/json.js';
import type { EvaluationBudget } from './budget.js';
import { BudgetExceededError, BudgetExceededFailure, ExpressionError, ExpressionFailure } from './errors.js';
import { assertKnownVariables, evaluateWithin, type Scope } from './evaluate.js';
import { MAX_DEPTH, MAX_ERRORS } from './limits.js';
import { parseTemplate } from './template.js';

type OnString = (text: string, path: string) => Json | undefined;

/**
 * Evaluates every string of a structure, such as a mask (decisions.md, "Expressions"). A property whose value is missing
 * is left out; an array element becomes null, so that the others keep their positions.
 * @param path the path of the structure in the request, the prefix of the paths in errors
 * @returns undefined when the structure is a single expression whose value is missing
 * @throws ExpressionError with the path of every string that cannot be evaluated
 */
export function evaluateStructure(value: Json, scope: Scope, path: string, budget: EvaluationBudget) {
  return mapStrings(value, path, (text) => evaluateWithin(budget, text, scope));
}

/** Parses every string of a structure: as much as can be checked without data. @throws ExpressionError by path */
export function assertStructure(value: Json, scope: Scope, path: string): void {
  mapStrings(value, path, (text) => {
    assertKnownVariables(parseTemplate(text), scope);
    return text;
  });
}

/** Replaces every string of a structure. @throws ExpressionError with all failures, by path */
export function mapStrings(value: Json, path: string, onString: OnString): Json | undefined {
  const errors: FieldErrors = {};
  const result = walk(value, path, 0, (text, at) => {
    const errorPath = at || 'body';
    try {
      return onString(text, errorPath);
    } catch (error) {
      if (!(error instanceof ExpressionFailure)) throw error;
      if (error instanceof BudgetExceededFailure)
        throw new BudgetExceededError({ ...errors, [errorPath]: [error.message] });
      errors[errorPath] = [error.message];
      if (Object.keys(errors).length === MAX_ERRORS) throw new ExpressionError(errors);
      return undefined;
    }
  });
  if (Object.keys(errors).length > 0) throw new ExpressionError(errors);
  return result;
}

function walk(value: Json, path: string, depth: number, onString: OnString): Json | undefined {
  if (typeof value === 'string') return onString(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH)
    throw new ExpressionError({ [path || 'body']: [`is nested deeper than ${MAX_DEPTH} levels`] });
  if (Array.isArray(value))
    return value.map((item, index) => walk(item, childPath(path, index), depth + 1, onString) ?? null);
  // Assigning to the own properties of a copy calls no setter, not even for a key such as `__proto__`.
  const result = { ...value };
  for (const key of Object.keys(result)) {
    const item = walk(result[key] as Json, childPath(path, key), depth + 1, onString);
    if (item === undefined) delete result[key];
    else result[key] = item;
  }
  return result;
}

/** Joins a property path as in error bodies: `data.routing_number`, `mask.2.name`. */
function childPath(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}
