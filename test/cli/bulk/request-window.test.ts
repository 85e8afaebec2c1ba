import { describe, expect, it, vi } from 'vitest';
import { RequestWindow } from '../../../src/cli/bulk/request-window.js';

/** Sends requests from `startMs` until one is refused or has to wait. @returns how many were sent */
function burst(window: RequestWindow, startMs: number, accepted: number, everyMs = 10): number {
  for (let sent = 0; ; sent++) {
    const now = startMs + sent * everyMs;
    if (window.delayMs(now) > 0) return sent;
    window.onSend(now);
    if (sent === accepted) {
      window.onRateLimited(10_000, now);
      return sent;
    }
    window.onSuccess(now);
  }
}

describe('RequestWindow', () => {
  it('sends without limit until the service refuses a request', () => {
    expect(burst(new RequestWindow(), 0, 5_000)).toBe(5_000);
  });

  it('then sends in the same time as many requests as were accepted, and no more', () => {
    const window = new RequestWindow();
    burst(window, 0, 100);
    expect(burst(window, 12_000, 1_000)).toBe(100);
    expect(window.delayMs(13_000)).toBe(9_250);
    expect(window.delayMs(22_249)).toBe(1);
    expect(window.delayMs(22_250)).toBe(0);
  });

  it('learns nothing from a 429 that asks for no pause', () => {
    const window = new RequestWindow();
    window.onSend(0);
    window.onRateLimited(0, 0);
    expect(burst(window, 1, 5_000)).toBe(5_000);
  });

  it('learns nothing from a 429 before any request was accepted, which others have caused', () => {
    const window = new RequestWindow();
    burst(window, 0, 0);
    expect(burst(window, 12_000, 100)).toBe(100);
    window.onSend(24_000);
    window.onRateLimited(10_000, 24_000);
    expect(burst(window, 36_000, 1_000)).toBe(100);
  });

  it('counts requests that were in flight when the first one was refused', () => {
    const window = new RequestWindow();
    burst(window, 0, 96);
    for (let count = 0; count < 4; count++) window.onSuccess(1_000);
    expect(burst(window, 12_000, 1_000)).toBe(100);
  });

  it('counts only the requests of one window before the first 429', () => {
    const window = new RequestWindow();
    burst(window, 0, 600, 100);
    expect(burst(window, 70_000, 1_000)).toBe(99);
  });

  it('learns the quota again after one full window, which corrects one that others had used a part of', () => {
    const window = new RequestWindow();
    burst(window, 0, 30);
    expect(burst(window, 12_000, 100)).toBe(30);
    expect(burst(window, 22_250, 100)).toBe(100);
    expect(burst(window, 34_250, 100)).toBe(100);
  });

  it('learns it again after 1, 2, 4 and 8 full windows, while it does not grow', () => {
    const window = new RequestWindow();
    const refuse = vi.spyOn(window, 'onRateLimited');
    const isRefused = (_: unknown, index: number) => {
      const before = refuse.mock.calls.length;
      expect(burst(window, index * 12_000, 100)).toBe(100);
      return refuse.mock.calls.length > before;
    };
    const refusals = Array.from({ length: 27 }, isRefused);
    expect(refusals.flatMap((refused, index) => (refused ? [index] : []))).toEqual([0, 2, 5, 10, 19]);
  });

  it('does not delay requests to a service that asks to retry at once', () => {
    const window = new RequestWindow();
    for (let time = 0; time < 10_000; time += 500) {
      expect(window.delayMs(time)).toBe(0);
      window.onSend(time);
      window.onRateLimited(0, time);
    }
  });
});
