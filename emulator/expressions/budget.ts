import type { Json } from '../../src/contract/json.js';
import { jsonLength } from '../lib/json-bounds.js';
import { currentThread, threadTime } from '../lib/thread-time.js';
import { BudgetExceededFailure } from './errors.js';
import { MAX_EVALUATION_MS, MAX_OUTPUT_LENGTH } from './limits.js';

/** What one evaluation may use: the part of the request's budget that is left. */
export interface EvaluationLimits {
  /** The emulator's time, in milliseconds since 1970; the value of `now` in date filters. */
  now: number;
  /** Time that the thread may run, in milliseconds. */
  timeMs: number;
  /** Characters of JSON. */
  outputLength: number;
}

/** Limits the time and the size of the results of one evaluation. Output is charged before it is built. */
export class EvaluationBudget {
  readonly now: number;
  readonly #thread: string | undefined;
  /** In the time of the thread. */
  readonly #end: number;
  /** In milliseconds of the monotonic clock. Before it, the time of the thread, which takes longer to read, cannot be over. */
  #nextCheck: number;
  #outputLeft: number;

  /** @param work light work is over before a check would matter */
  constructor({ now, timeMs, outputLength }: EvaluationLimits, work: 'light' | 'any' = 'any') {
    const isLight = work === 'light';
    this.now = now;
    this.#thread = isLight ? undefined : currentThread();
    this.#end = threadTime(this.#thread) + timeMs;
    this.#nextCheck = isLight ? Number.POSITIVE_INFINITY : performance.now() + timeMs;
    this.#outputLeft = outputLength;
  }

  get outputLeft(): number {
    return this.#outputLeft;
  }

  assertTimeLeft(): void {
    const now = performance.now();
    if (now < this.#nextCheck) return;
    const left = this.#end - threadTime(this.#thread);
    if (left <= 0) throw timeExceeded();
    this.#nextCheck = now + left;
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
