import { BudgetExceededError, EvaluationBusyError } from '../expressions/index.js';
import { type ProblemError, retryableProblem, validationProblem } from '../problems/problem.js';

/** Converts an error of evaluating expressions, which any operation may throw; undefined for other errors. */
export function toExpressionProblem(error: unknown): ProblemError | undefined {
  if (error instanceof BudgetExceededError) return validationProblem(error.errors);
  if (!(error instanceof EvaluationBusyError)) return undefined;
  return retryableProblem('unavailable', 'Too many expressions are waiting to be evaluated. Try again.');
}
