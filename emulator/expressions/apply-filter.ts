import { ExpressionFailure } from './errors.js';
import { MAX_OUTPUT_LENGTH } from './limits.js';

/** What failed in a filter, worded without the value that caused it. */
export function asFilterFailure(name: string, error: unknown): unknown {
  if (error instanceof ExpressionFailure || isLimit(error)) return error;
  return new ExpressionFailure(`filter "${name}" cannot be applied to this value`);
}

/** Liquid's own bounds on time and memory. */
export function isLimit(error: unknown): boolean {
  return error instanceof Error && / limit exceeded/.test(error.message);
}

export function assertSize(result: unknown): void {
  if (typeof result === 'string' && result.length > MAX_OUTPUT_LENGTH) {
    throw new ExpressionFailure(`the result is longer than ${MAX_OUTPUT_LENGTH} characters`);
  }
}
