import { expect, test } from 'vitest';
import { retryDelayMs } from '../../../../emulator/services/webhooks/delivery-record.js';
import { LIMITS } from '../../../../src/contract/limits.js';

test('the delay starts at one second and doubles with every attempt', () => {
  expect([1, 2, 3, 4].map(retryDelayMs)).toEqual([1_000, 2_000, 4_000, 8_000]);
});

test('no delay follows the last retry', () => {
  expect(retryDelayMs(LIMITS.callback.retries)).toBe(1_000 * 2 ** (LIMITS.callback.retries - 1));
  expect(retryDelayMs(LIMITS.callback.retries + 1)).toBeUndefined();
});

test('all delays together take 17 minutes', () => {
  let total = 0;
  for (let attempts = 1; attempts <= LIMITS.callback.retries; attempts += 1)
    total += retryDelayMs(attempts) ?? 0;
  expect(Math.round(total / 60_000)).toBe(17);
});
