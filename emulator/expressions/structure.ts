import type { FieldErrors } from '../../src/contract/index.js';
import { EvaluationBudget } from './budget.js';
import { ExpressionError, ExpressionFailure } from './errors.js';
import { evaluateWithin, type Scope } from './evaluate.js';
import { childPath, type Json } from './json.js';
import { MAX_DEPTH, MAX_ERRORS } from './limits.js';

type OnString = (text: string, path: string) => Json | undefined;

/**
 * Evaluates every string of a structure: masks of any shape (decisions.md, "Expressions"). A missing value drops its
 * property; in an array it leaves null, so that the others keep their places.
 * @param now the time that dates see, in milliseconds since 1970
 * @returns undefined when the whole of it is one expression whose value is missing
 * @throws ExpressionError with the path of every string that fails
 */
export function evaluateStructure(value: Json, scope: Scope, path: string, now: number): Json | undefined {
  const evaluation = new EvaluationBudget(now);
  return mapStrings(value, path, (text) => evaluateWithin(evaluation, text, scope));
}

/** Replaces every string of a structure; collects what fails, by path. */
export function mapStrings(value: Json, path: string, onString: OnString): Json | undefined {
  const errors: FieldErrors = {};
  const result = walk(value, path, 0, (text, place) => {
    const at = place || 'body';
    try {
      return onString(text, at);
    } catch (error) {
      if (!(error instanceof ExpressionFailure)) throw error;
      errors[at] = [error.message];
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
  if (Array.isArray(value)) {
    return value.map((item, index) => walk(item, childPath(path, index), depth + 1, onString) ?? null);
  }
  // A copy, whose own properties then change: whatever their names, no setter is met.
  const result = { ...value };
  for (const key of Object.keys(result)) {
    const item = walk(result[key] as Json, childPath(path, key), depth + 1, onString);
    if (item === undefined) delete result[key];
    else result[key] = item;
  }
  return result;
}
