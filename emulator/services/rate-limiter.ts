import { RATE_LIMITS, type RateScope } from '../../src/contract/limits.js';
import type { Clock } from '../lib/clock.js';
import type { MaybePromise } from '../lib/maybe-promise.js';
import { retryableProblem } from '../problems/problem.js';
import type { SharedStore } from '../store/store.js';

/** The requests of one client in one scope, from `from` until `until`. Times in milliseconds since 1970. */
type Window = { from: number; until: number; requests: number };

const CLEANUP_INTERVAL_MS = 60_000;

/** Counts requests per client IP, in fixed windows of `realNow`: with a frozen clock, no block would ever end. */
export class RateLimiter {
  /** By scope and IP. */
  readonly #windows = new Map<string, Window>();

  /** @param scale factor for every limit @param shared present if several processes count together */
  constructor(
    private readonly clock: Pick<Clock, 'realNow' | 'every'>,
    private readonly scale: number,
    private readonly shared?: Pick<SharedStore, 'countRequest' | 'clearRequests'>,
  ) {
    clock.every(CLEANUP_INTERVAL_MS, () => {
      const now = clock.realNow();
      for (const [name, window] of this.#windows) if (!isCurrent(window, now)) this.#windows.delete(name);
    });
  }

  /** @throws ProblemError 429 with `Retry-After` in seconds */
  count(ip: string, scopes: readonly RateScope[]): MaybePromise<void> {
    if (this.shared) return this.#countShared(ip, scopes, this.shared);
    const now = this.clock.realNow();
    for (const scope of scopes) {
      const limit = this.#limitOf(scope);
      const window = this.#windowOf(scope, ip, now);
      window.requests += 1;
      // The first request over the limit starts the block. Requests during the block do not extend it.
      if (window.requests === limit + 1) window.until = now + RATE_LIMITS[scope].blockSeconds * 1000;
      assertWithinLimit(scope, limit, window, now);
    }
  }

  clear(): MaybePromise<void> {
    return this.shared ? this.shared.clearRequests() : this.#windows.clear();
  }

  async #countShared(ip: string, scopes: readonly RateScope[], shared: Pick<SharedStore, 'countRequest'>) {
    const now = this.clock.realNow();
    for (const scope of scopes) {
      const limit = this.#limitOf(scope);
      const { windowSeconds, blockSeconds } = RATE_LIMITS[scope];
      const window = { now, lengthMs: windowSeconds * 1000, limit, blockMs: blockSeconds * 1000 };
      assertWithinLimit(scope, limit, await shared.countRequest(`${scope} ${ip}`, window), now);
    }
  }

  #windowOf(scope: RateScope, ip: string, now: number): Window {
    const name = `${scope} ${ip}`;
    const known = this.#windows.get(name);
    if (known && isCurrent(known, now)) return known;
    const window = { from: now, until: now + RATE_LIMITS[scope].windowSeconds * 1000, requests: 0 };
    this.#windows.set(name, window);
    return window;
  }

  #limitOf(scope: RateScope): number {
    return Math.ceil(RATE_LIMITS[scope].requests * this.scale);
  }
}

function assertWithinLimit(
  scope: RateScope,
  limit: number,
  { requests, until }: Pick<Window, 'requests' | 'until'>,
  now: number,
): void {
  if (requests <= limit) return;
  const detail = `More than ${limit} requests in ${RATE_LIMITS[scope].windowSeconds} seconds (${scope}).`;
  throw retryableProblem('rateLimited', detail, Math.ceil((until - now) / 1000));
}

/** A window that starts in the future is not current: the clock was set back, and the client must not stay blocked. */
const isCurrent = ({ from, until }: Window, now: number): boolean => from <= now && now < until;
