import { LIMITS } from '../../../src/contract/limits.js';

const FIRST_DELAY_MS = 1_000;

/**
 * Returns the delay before the next delivery attempt: one second, doubled after each attempt, 17 minutes in total.
 * @param attempts attempts made so far, at least 1
 * @returns milliseconds; undefined after the last attempt
 */
export function retryDelayMs(attempts: number): number | undefined {
  return attempts > LIMITS.callback.retries ? undefined : FIRST_DELAY_MS * 2 ** (attempts - 1);
}
