import { ExpressionFailure } from './errors.js';
import type { Json } from './json.js';
import { MAX_EVALUATION_MS, MAX_OUTPUT_LENGTH } from './limits.js';

/**
 * Limits the time and the size of the results of all expressions of one text or structure together. Many small
 * expressions over large data cost as much as one large expression.
 */
export class EvaluationBudget {
  readonly #deadline = performance.now() + MAX_EVALUATION_MS;
  #left = MAX_OUTPUT_LENGTH;

  /** @param now the emulator's time, in milliseconds since 1970; the value of `now` in date filters */
  constructor(readonly now: number) {}

  /** Returns the remaining time in milliseconds. @throws ExpressionFailure when none remains */
  remainingMs(): number {
    const left = this.#deadline - performance.now();
    if (left <= 0) throw new ExpressionFailure('the expressions take too long');
    return left;
  }

  /** Subtracts the length of a result as JSON. @throws ExpressionFailure when the results are too large */
  spend(result: Json | undefined): void {
    // Checked first, so that no more than the budget is ever measured.
    if (this.#left >= 0) this.#left -= jsonLength(result);
    if (this.#left < 0) {
      throw new ExpressionFailure(`the results are longer than ${MAX_OUTPUT_LENGTH} characters`);
    }
  }
}

function jsonLength(value: Json | undefined): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  try {
    return JSON.stringify(value).length;
  } catch {
    throw new ExpressionFailure('the value is nested too deeply');
  }
}
