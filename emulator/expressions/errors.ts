import type { FieldErrors } from '../../src/contract/index.js';

/** Failure to parse or evaluate one expression. The message never contains data. */
export class ExpressionFailure extends Error {
  override readonly name = 'ExpressionFailure';
}

/**
 * Failure of one or more expressions of a request. `errors` maps property paths to messages, as in the common error body
 * (decisions.md, "The common error body").
 */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  constructor(readonly errors: FieldErrors) {
    super('An expression is not valid.');
  }
}
