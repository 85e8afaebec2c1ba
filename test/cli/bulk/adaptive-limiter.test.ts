import { describe, expect, it } from 'vitest';
import { RequestWindow } from '../../../src/cli/bulk/adaptive-limiter.js';

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
