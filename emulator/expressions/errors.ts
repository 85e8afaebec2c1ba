import type { FieldErrors } from '../../src/contract/validation.js';

/** Failure to parse or evaluate one expression. The message never contains data. */
export class ExpressionFailure extends Error {
  override readonly name: string = 'ExpressionFailure';
}

/** The expressions of a request need more time, memory or output than one request may use. */
export class BudgetExceededFailure extends ExpressionFailure {
  override readonly name = 'BudgetExceededFailure';
}

/** Failure of expressions of a request. `errors` maps property paths to messages, as in the common error body. */
export class ExpressionError extends Error {
  override readonly name: string = 'ExpressionError';

  constructor(readonly errors: FieldErrors) {
    super('An expression is not valid.');
  }
}

/** The budget of the request is used up (decisions.md, "Expressions"): no other expression of it can be evaluated. */
export class BudgetExceededError extends ExpressionError {
  override readonly name = 'BudgetExceededError';
}

/** Too many evaluations are waiting for a thread. The request may be repeated. */
export class EvaluationBusyError extends Error {
  override readonly name = 'EvaluationBusyError';
}
