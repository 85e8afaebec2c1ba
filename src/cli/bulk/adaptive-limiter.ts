import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_LIMIT = 4;
const DEFAULT_PAUSE_MS = 1_000;
/** Retry-After is honoured up to a minute; then the service is asked again. */
const MAX_PAUSE_MS = 60_000;

/**
 * How much is sent at a time: a little more with every success, half as much and a pause when the service says 429.
 * What is paused waits together, so that one `Retry-After` is asked for once.
 */
export class AdaptiveLimiter {
  #limit: number;
  #active = 0;
  #resumeAt = 0;
  #waiting: (() => void)[] = [];

  constructor(
    private readonly maximum: number,
    private readonly signal: AbortSignal,
  ) {
    this.#limit = Math.min(FIRST_LIMIT, maximum);
  }

  get limit(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** Waits for its turn. Every `enter` is followed by one `leave`. */
  async acquire(): Promise<void> {
    while (this.#active >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#active++;
  }

  release(): void {
    this.#active--;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  succeeded(): void {
    this.#limit = Math.min(this.maximum, this.#limit + 1 / this.#limit);
  }

  /** @param retryAfter seconds. */
  onRateLimited(retryAfter: number | undefined): void {
    const now = performance.now();
    // One blocked window is one signal, however many requests it hit.
    if (now >= this.#resumeAt) this.#limit = Math.max(1, this.#limit / 2);
    const pause = retryAfter === undefined ? DEFAULT_PAUSE_MS : Math.min(retryAfter * 1000, MAX_PAUSE_MS);
    this.#resumeAt = Math.max(this.#resumeAt, now + pause);
  }

  /** Waits until the service takes requests again. @throws the reason of the signal. */
  async paused(): Promise<void> {
    for (let left = this.#left(); left > 0; left = this.#left())
      await sleep(left, undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted());
  }

  #left(): number {
    return this.#resumeAt - performance.now();
  }
}
