import { RATE_LIMITS, type RateScope } from '../../src/contract/limits.js';
import type { Clock } from '../lib/clock.js';
import { ProblemError } from '../problems/problem.js';

/** Requests of one client in one scope since `from`; they count anew at `until`. */
interface Window {
  from: number;
  until: number;
  requests: number;
}

/** Counts requests per client IP; spec, Limits. */
export interface RateLimiter {
  /** @throws ProblemError 429 with `Retry-After`, in seconds */
  count(ip: string, scopes: readonly RateScope[]): void;
  clear(): void;
}

/** Forgets clients that have been quiet, in milliseconds. */
const TIDY_INTERVAL_MS = 60_000;

/**
 * Fixed windows on the emulator's clock; passing a limit blocks the scope. A frozen clock does not hold them up: nobody
 * could get out of a block again. Synchronous, since every request passes here.
 * @param scale multiplies every limit
 */
export function createRateLimiter(clock: Clock, scale: number): RateLimiter {
  /** By scope and IP. */
  const windows = new Map<string, Window>();
  clock.every(TIDY_INTERVAL_MS, () => {
    const now = clock.realNow();
    for (const [name, window] of windows) if (!isCurrent(window, now)) windows.delete(name);
  });

  function windowOf(scope: RateScope, ip: string, now: number): Window {
    const name = `${scope} ${ip}`;
    const known = windows.get(name);
    if (known && isCurrent(known, now)) return known;
    const window = { from: now, until: now + RATE_LIMITS[scope].windowSeconds * 1000, requests: 0 };
    windows.set(name, window);
    return window;
  }

  function countIn(scope: RateScope, ip: string, now: number): void {
    const { requests, windowSeconds, blockSeconds } = RATE_LIMITS[scope];
    const limit = Math.ceil(requests * scale);
    const window = windowOf(scope, ip, now);
    window.requests += 1;
    if (window.requests <= limit) return;
    // The first request too many starts the block; those during it do not prolong it.
    if (window.requests === limit + 1) window.until = now + blockSeconds * 1000;
    const detail = `More than ${limit} requests in ${windowSeconds} seconds (${scope}).`;
    const retryAfter = String(Math.ceil((window.until - now) / 1000));
    throw new ProblemError('rateLimited', detail, { headers: { 'Retry-After': retryAfter } });
  }

  return {
    count(ip, asked) {
      const now = clock.realNow();
      for (const scope of asked) countIn(scope, ip, now);
    },
    clear: () => windows.clear(),
  };
}

/** A clock that was set back must not leave a client blocked until the old time comes again. */
function isCurrent({ from, until }: Window, now: number): boolean {
  return from <= now && now < until;
}
