import type { FieldErrors } from '../../../src/contract/validation.js';
import { ExpressionError, ExpressionFailure } from '../../expressions/index.js';
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

  /** Runs an evaluation. If an expression fails, adds the message and returns undefined. */
  evaluate<T>(path: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof ExpressionError) this.addAll(error.errors);
      else if (error instanceof ExpressionFailure) this.add(path, error.message);
      else throw error;
      return undefined;
    }
  }

  /** @throws ProblemError 400 with all errors, if there are any */
  assertValid(): void {
    if (this.failed) throw validationProblem(this.errors);
  }
}
