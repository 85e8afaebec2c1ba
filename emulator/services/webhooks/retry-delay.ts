import { LIMITS } from '../../../src/contract/limits.js';

const FIRST_DELAY_MS = 1_000;

/**
 * How long to wait for the next try: a second, then twice as long each time, seventeen minutes in all.
 * @param attempts tries made so far, at least 1
 * @returns undefined when there is to be no further try
 */
export function retryDelayMs(attempts: number): number | undefined {
  return attempts > LIMITS.callback.retries ? undefined : FIRST_DELAY_MS * 2 ** (attempts - 1);
}
