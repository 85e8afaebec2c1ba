import { describe, expect, it, test } from 'vitest';
import { ConnectionError, ServiceError } from '../../src/client/errors.js';
import { isRetryable, parseRetryAfter, RetryBudget, retryDelay } from '../../src/client/retry.js';

const serviceError = (status: number, title = 'Title', errors?: Record<string, string[]>) =>
  new ServiceError(status, { title, ...(errors && { errors }) }, undefined);
const connectionError = (code: string) => new ConnectionError('http://service', code, undefined);

describe('parseRetryAfter', () => {
  const now = Date.UTC(2030, 0, 1);

  test.each([
    ['0', 0],
    ['7', 7],
    ['Tue, 01 Jan 2030 00:00:10 GMT', 10],
    ['Tue, 01 Jan 2030 00:00:00 GMT', 0],
    ['Mon, 31 Dec 2029 23:59:00 GMT', 0],
    ['', undefined],
    [undefined, undefined],
    ['soon', undefined],
    ['-1 second', undefined],
  ])('%s is %s seconds', (value, seconds) => expect(parseRetryAfter(value, now)).toBe(seconds));

  it('rounds a fraction of a second up', () =>
    expect(parseRetryAfter('Tue, 01 Jan 2030 00:00:01 GMT', now + 1)).toBe(1));
});

describe('retryDelay', () => {
  it('doubles the upper bound of the backoff up to 8 seconds', () => {
    const longest = [0, 1, 2, 3, 4, 5, 6, 20].map((attempt) => retryDelay(attempt, undefined, () => 1));
    expect(longest).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it('waits at least half of the bound', () => expect(retryDelay(3, undefined, () => 0)).toBe(1_000));

  it('honours Retry-After up to one minute, with up to 250 ms of jitter', () => {
    expect(retryDelay(0, 2, () => 0)).toBe(2_000);
    expect(retryDelay(0, 2, () => 1)).toBe(2_250);
    expect(retryDelay(5, 0, () => 0)).toBe(0);
    expect(retryDelay(0, 3_600, () => 0)).toBe(60_000);
  });
});

describe('isRetryable', () => {
  test.each([408, 429, 500, 502, 503, 504, 507])('a %i is retried', (status) =>
    expect(isRetryable(serviceError(status))).toBe(true),
  );

  test.each([400, 401, 403, 404, 405, 409, 413, 415, 422])('a %i is not retried', (status) =>
    expect(isRetryable(serviceError(status))).toBe(false),
  );

  test.each([
    ['ECONNRESET', true],
    ['EPIPE', true],
    ['UND_ERR_SOCKET', true],
    ['ECONNREFUSED', false],
    ['ENOTFOUND', false],
  ])('%s: %s', (code, retried) => expect(isRetryable(connectionError(code))).toBe(retried));
});

describe('RetryBudget', () => {
  const takeAll = (budget: RetryBudget, errors: ServiceError[]) =>
    errors.map((error) => budget.take(error) !== undefined);

  it('allows as many retries as its limit', () => {
    const budget = new RetryBudget({ retries: 2 }, () => 0);
    expect(takeAll(budget, [serviceError(503), serviceError(429), serviceError(503)])).toEqual([
      true,
      true,
      false,
    ]);
    expect(budget.used).toBe(2);
  });
});
