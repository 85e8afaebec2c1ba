import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AdaptiveLimiter } from '../../../src/cli/bulk/adaptive-limiter.js';

describe('AdaptiveLimiter', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());
  const create = (maximum = 8) => new AdaptiveLimiter(maximum, new AbortController().signal);

  it('starts at four and grows by one per round of successes', () => {
    const limiter = create();
    for (let count = 0; count < 5; count++) limiter.onSuccess();
    expect(limiter.limit).toBe(5);
  });

  it('never exceeds the maximum', () => {
    const limiter = create(2);
    for (let count = 0; count < 50; count++) limiter.onSuccess();
    expect(limiter.limit).toBe(2);
  });

  it('halves once for all requests that one blocked window refuses', () => {
    const limiter = create();
    limiter.onRateLimited(10);
    limiter.onRateLimited(10);
    expect(limiter.limit).toBe(2);
    vi.advanceTimersByTime(10_001);
    limiter.onRateLimited(10);
    expect(limiter.limit).toBe(1);
  });

  it('keeps one request in flight however often it is limited', async () => {
    const limiter = create();
    for (let count = 0; count < 5; count++) {
      limiter.onRateLimited(1);
      vi.advanceTimersByTime(1_001);
    }
    expect(limiter.limit).toBe(1);
    await limiter.acquire();
  });

  it('lets the next request through when one is released', async () => {
    const limiter = create(1);
    await limiter.acquire();
    let acquired = false;
    const next = limiter.acquire().then(() => {
      acquired = true;
    });
    await Promise.resolve();
    expect(acquired).toBe(false);
    limiter.release();
    await next;
  });
});
