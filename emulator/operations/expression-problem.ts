import { BudgetExceededError, EvaluationBusyError } from '../expressions/index.js';
import { ProblemError, validationProblem } from '../problems/problem.js';

/** Converts an error of evaluating expressions, which any operation may throw; undefined for other errors. */
export function toExpressionProblem(error: unknown): ProblemError | undefined {
  if (error instanceof BudgetExceededError) return validationProblem(error.errors);
  if (!(error instanceof EvaluationBusyError)) return undefined;
  const detail = 'Too many expressions are waiting to be evaluated. Try again.';
  return new ProblemError('unavailable', detail, { headers: { 'Retry-After': '1' } });
}
