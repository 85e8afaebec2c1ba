import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_LIMIT = 4;
const DEFAULT_PAUSE_MS = 1_000;
/** `Retry-After` is honoured up to one minute. */
const MAX_PAUSE_MS = 60_000;

/**
 * Limits how many requests are in flight, by additive increase and multiplicative decrease: each success raises the
 * limit a little, a 429 halves it and pauses all requests together.
 */
export class AdaptiveLimiter {
  #limit: number;
  #active = 0;
  /** On the clock of `performance.now()`. */
  #resumeAt = 0;
  #waiting: (() => void)[] = [];

  /** @param maximum requests in flight. @param signal ends a pause. */
  constructor(
    private readonly maximum: number,
    private readonly signal: AbortSignal,
  ) {
    this.#limit = Math.min(FIRST_LIMIT, maximum);
  }

  /** Requests that may be in flight now, at least 1. */
  get limit(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** Waits until fewer requests than the limit are in flight, then counts one more. Pair it with `release`. */
  async acquire(): Promise<void> {
    while (this.#active >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#active++;
  }

  release(): void {
    this.#active--;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Raises the limit by one for each round of successful requests. */
  onSuccess(): void {
    this.#limit = Math.min(this.maximum, this.#limit + 1 / this.#limit);
  }

  /** Halves the limit and starts a pause. @param retryAfter seconds; 1 by default. */
  onRateLimited(retryAfter: number | undefined): void {
    const now = performance.now();
    // All requests that one blocked window refuses count as one signal.
    if (now >= this.#resumeAt) this.#limit = Math.max(1, this.#limit / 2);
    const pause = retryAfter === undefined ? DEFAULT_PAUSE_MS : Math.min(retryAfter * 1000, MAX_PAUSE_MS);
    this.#resumeAt = Math.max(this.#resumeAt, now + pause);
  }

  /** Waits for the end of the pause, which may be extended in the meantime. @throws the reason of the signal. */
  async waitForResume(): Promise<void> {
    for (let left = this.#pauseLeft(); left > 0; left = this.#pauseLeft())
      await sleep(left, undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted());
  }

  #pauseLeft(): number {
    return this.#resumeAt - performance.now();
  }
}
