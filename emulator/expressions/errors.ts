import type { FieldErrors } from '../../src/contract/index.js';

/** Why one expression or one of its filters failed. The message never holds data. */
export class ExpressionFailure extends Error {
  override readonly name = 'ExpressionFailure';
}

/**
 * Expressions of a request that cannot be parsed or evaluated: property path → messages, as the `errors` of the
 * common error body take them (decisions.md, "The common error body").
 */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  constructor(readonly errors: FieldErrors) {
    super('An expression is not valid.');
  }
}
