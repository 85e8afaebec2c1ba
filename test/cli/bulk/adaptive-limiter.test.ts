import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AdaptiveLimiter, RequestWindow } from '../../../src/cli/bulk/adaptive-limiter.js';

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

/** Sends requests from `startMs` until one is refused or has to wait. @returns how many were sent */
function burst(window: RequestWindow, startMs: number, accepted: number): number {
  for (let sent = 0; ; sent++) {
    const now = startMs + sent;
    if (window.delayMs(now) > 0) return sent;
    window.onSend(now);
    if (sent === accepted) {
      window.onRateLimited(10_000);
      return sent;
    }
    window.onSuccess();
  }
}

describe('RequestWindow', () => {
  it('sends without limit until the service refuses a request', () => {
    expect(burst(new RequestWindow(), 0, 5_000)).toBe(5_000);
  });

  it('counts what is accepted in the window after the first 429, and then sends no more than that in the same time', () => {
    const window = new RequestWindow();
    burst(window, 0, 30);
    burst(window, 20_000, 100);
    expect(burst(window, 40_000, 1_000)).toBe(100);
    expect([window.delayMs(40_200), window.delayMs(50_250)]).toEqual([10_050, 0]);
  });

  it('counts requests that were in flight when one was refused', () => {
    const window = new RequestWindow();
    burst(window, 0, 30);
    burst(window, 20_000, 96);
    for (let count = 0; count < 4; count++) window.onSuccess();
    expect(burst(window, 40_000, 1_000)).toBe(100);
  });

  it('learns nothing from a 429 that asks for no pause', () => {
    const window = new RequestWindow();
    for (const start of [0, 1_000]) {
      window.onSend(start);
      window.onRateLimited(0);
    }
    expect(burst(window, 2_000, 5_000)).toBe(5_000);
  });

  it('learns nothing from a 429 before any request was accepted, which others have caused', () => {
    const window = new RequestWindow();
    for (const start of [0, 20_000, 40_000]) burst(window, start, 0);
    expect(burst(window, 60_000, 5_000)).toBe(5_000);
  });

  it('counts again after eight full windows, which corrects a quota of which others had used a part', () => {
    const window = new RequestWindow();
    burst(window, 0, 30);
    burst(window, 20_000, 30);
    const sent = Array.from({ length: 10 }, (_, index) => burst(window, 40_000 + index * 20_000, 100));
    expect(sent).toEqual([30, 30, 30, 30, 30, 30, 30, 30, 100, 100]);
  });
});
