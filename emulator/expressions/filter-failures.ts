import { ExpressionFailure } from './errors.js';
import { MAX_OUTPUT_LENGTH } from './limits.js';

/** What failed in a filter, worded without the value that caused it. */
export function toFilterFailure(name: string, error: unknown): unknown {
  if (error instanceof ExpressionFailure || isLimitError(error)) return error;
  return new ExpressionFailure(`filter "${name}" cannot be applied to this value`);
}

/** Liquid's own bounds on time and memory. */
export function isLimitError(error: unknown): boolean {
  return error instanceof Error && / limit exceeded/.test(error.message);
}

export function assertResultLength(result: unknown): void {
  if (typeof result === 'string' && result.length > MAX_OUTPUT_LENGTH) {
    throw new ExpressionFailure(`the result is longer than ${MAX_OUTPUT_LENGTH} characters`);
  }
}
