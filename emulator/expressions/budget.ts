import { ExpressionFailure } from './errors.js';
import type { Json } from './json.js';
import { MAX_EVALUATION_MS, MAX_OUTPUT_LENGTH } from './limits.js';

/**
 * Limits the time and the size of the results of all expressions of one text or structure together. Many small
 * expressions over large data cost as much as one large expression.
 */
export class EvaluationBudget {
  readonly #deadline = performance.now() + MAX_EVALUATION_MS;
  readonly #sizes = new Map<object, number>();
  #left = MAX_OUTPUT_LENGTH;

  /** @param now the emulator's time, in milliseconds since 1970; the value of `now` in date filters */
  constructor(readonly now: number) {}

  /** Returns the remaining time in milliseconds. @throws ExpressionFailure when none remains */
  remainingMs(): number {
    const left = this.#deadline - performance.now();
    if (left <= 0) throw new ExpressionFailure('the expressions take too long');
    return left;
  }

  /**
   * Subtracts the length of a result as JSON. An object is measured once, and counted every time it is a result.
   * @throws ExpressionFailure when the results are too large
   */
  spend(result: Json | undefined): void {
    this.#left -= this.#sizeOf(result);
    if (this.#left < 0) {
      throw new ExpressionFailure(`the results are longer than ${MAX_OUTPUT_LENGTH} characters`);
    }
  }

  #sizeOf(result: Json | undefined): number {
    if (typeof result === 'string') return result.length;
    if (typeof result !== 'object' || result === null) return 1;
    const size = this.#sizes.get(result) ?? jsonLength(result);
    this.#sizes.set(result, size);
    return size;
  }
}

function jsonLength(value: object): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    throw new ExpressionFailure('the value is nested too deeply');
  }
}
