import { jsonLength } from '../lib/json-length.js';
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
