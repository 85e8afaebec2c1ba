import type { Json } from '../../src/contract/json.js';
import { jsonLength } from '../lib/json-bounds.js';
import { BudgetExceededFailure } from './errors.js';
import { MAX_EVALUATION_MS, MAX_OUTPUT_LENGTH } from './limits.js';

/** What one evaluation may use: the part of the request's budget that is left. */
export interface EvaluationLimits {
  /** The emulator's time, in milliseconds since 1970; the value of `now` in date filters. */
  now: number;
  timeMs: number;
  /** Characters of JSON. */
  outputLength: number;
}

/** Limits the time and the size of the results of one evaluation. Output is charged before it is built. */
export class EvaluationBudget {
  readonly now: number;
  readonly #timeMs: number;
  /** In milliseconds of the monotonic clock; undefined for light work, which is over before a check would matter. */
  readonly #deadline: number | undefined;
  #outputLeft: number;

  constructor({ now, timeMs, outputLength }: EvaluationLimits, work: 'light' | 'any' = 'any') {
    this.now = now;
    this.#timeMs = timeMs;
    this.#deadline = work === 'light' ? undefined : performance.now() + timeMs;
    this.#outputLeft = outputLength;
  }

  get outputLeft(): number {
    return this.#outputLeft;
  }

  /** Returns the remaining time in milliseconds. @throws BudgetExceededFailure when none remains */
  remainingMs(): number {
    if (this.#deadline === undefined) return this.#timeMs;
    const left = this.#deadline - performance.now();
    if (left <= 0) throw timeExceeded();
    return left;
  }

  /** Subtracts the length of a result as JSON. @throws BudgetExceededFailure when the results are too large */
  spend(result: Json | undefined): void {
    this.#outputLeft -= jsonLength(result, Math.max(0, this.#outputLeft));
    if (this.#outputLeft < 0) throw outputExceeded();
  }
}

export function timeExceeded(): BudgetExceededFailure {
  return new BudgetExceededFailure(
    `the expressions of the request take more than ${MAX_EVALUATION_MS / 1_000} s`,
  );
}

export function outputExceeded(): BudgetExceededFailure {
  return new BudgetExceededFailure(
    `the results of the expressions of the request are longer than ${MAX_OUTPUT_LENGTH} characters`,
  );
}

export function memoryExceeded(): BudgetExceededFailure {
  return new BudgetExceededFailure('the expressions of the request take too much memory');
}
