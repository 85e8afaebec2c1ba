import type { FieldErrors } from '../../../src/contract/validation.js';
import { BudgetExceededError, ExpressionError, ExpressionFailure } from '../../expressions/index.js';
import { type MaybePromise, recover } from '../../lib/maybe-promise.js';
import { validationProblem } from '../../problems/problem.js';

/** Collects the errors of a request by property path, so that one response lists all of them. */
export class FieldChecks {
  readonly errors: FieldErrors = {};

  get failed(): boolean {
    return Object.keys(this.errors).length > 0;
  }

  add(path: string, message: string): void {
    this.errors[path] = [...(this.errors[path] ?? []), message];
  }

  addAll(errors: FieldErrors): void {
    Object.assign(this.errors, errors);
  }

  /** Runs an evaluation; undefined if an expression fails. @throws ProblemError 400 when the budget is used up */
  evaluate<T>(path: string, work: () => MaybePromise<T>): MaybePromise<T | undefined> {
    return recover<T | undefined>(work, (error) => {
      // Nothing else of the request can be evaluated.
      if (error instanceof BudgetExceededError) throw validationProblem(error.errors);
      if (error instanceof ExpressionError) this.addAll(error.errors);
      else if (error instanceof ExpressionFailure) this.add(path, error.message);
      else throw error;
      return undefined;
    });
  }

  /** @throws ProblemError 400 with all errors, if there are any */
  assertValid(): void {
    if (this.failed) throw validationProblem(this.errors);
  }
}
