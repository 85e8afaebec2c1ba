import { ExpressionFailure } from './errors.js';
import type { Json } from './json.js';
import { MAX_EVALUATION_MS, MAX_OUTPUT_LENGTH } from './limits.js';

/**
 * What all the expressions of one text or structure share: the time they see, and what they may take together, since
 * a mask of many small expressions over large data costs as much as one large one.
 */
export class EvaluationBudget {
  readonly #deadline = performance.now() + MAX_EVALUATION_MS;
  readonly #sizes = new Map<object, number>();
  #left = MAX_OUTPUT_LENGTH;

  /** @param now the time of the emulator's clock, in milliseconds since 1970: the `now` of dates */
  constructor(readonly now: number) {}

  /** Milliseconds that are left. */
  remainingMs(): number {
    const left = this.#deadline - performance.now();
    if (left <= 0) throw new ExpressionFailure('the expressions take too much time');
    return left;
  }

  /** Counts a result by the length of its JSON; the same object is measured once and counted every time. */
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
    throw new ExpressionFailure('the value is nested too deep');
  }
}
