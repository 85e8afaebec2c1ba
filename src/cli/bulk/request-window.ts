/** Added to the length of a window, because requests take longer to arrive at some times than at others. */
const MARGIN_MS = 250;
/** Successes are remembered for the longest window that can be learned. */
const MAX_LENGTH_MS = 60_000;
/** At most so many full windows pass before the quota is learned again: the limit may be higher now. */
const MAX_WINDOWS_UNTIL_RELEARN = 8;

/**
 * Learns from 429 responses how many requests a service accepts in which time, so that later requests stay below that.
 * A service that blocks a client for as long as its window takes would otherwise refuse everything half of the time.
 * Other clients of the same address may have used up a part of a window, and the quota that it taught is too low. Therefore
 * it is learned again after one full window, and after twice as many each time that it has not grown.
 * Times are milliseconds on the clock of `performance.now()`.
 */
export class RequestWindow {
  #quota = Number.POSITIVE_INFINITY;
  #lengthMs = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  #sent = 0;
  #fullWindows = 0;
  #windowsUntilRelearn = 1;
  /** Times of successful responses, ascending. Those before a wait are forgotten: they were counted by an earlier window. */
  #successes: number[] = [];
  #refusedAt: number | undefined;

  /** Milliseconds until another request fits into the quota; 0 at most times. */
  delayMs(now: number): number {
    this.#learn(now);
    return this.#isFull ? Math.max(0, this.#startedAt + this.#lengthMs + MARGIN_MS - now) : 0;
  }

  /** Counts a request that is about to be sent. */
  onSend(now: number): void {
    if (now >= this.#startedAt + this.#lengthMs + MARGIN_MS) {
      if (this.#isFull) {
        this.#fullWindows++;
        this.#successes = [];
      }
      this.#start(now);
    }
    this.#sent++;
  }

  onSuccess(now: number): void {
    this.#successes.push(now);
    const oldest = now - MAX_LENGTH_MS;
    if ((this.#successes[0] ?? now) < oldest - MAX_LENGTH_MS)
      this.#successes = this.#successes.filter((time) => time >= oldest);
  }

  /** @param pauseMs the time that the service asks for */
  onRateLimited(pauseMs: number, now: number): void {
    this.#refusedAt ??= now;
    this.#lengthMs = Math.max(this.#lengthMs, Math.min(pauseMs, MAX_LENGTH_MS));
  }

  /**
   * Sets the quota when requests go on after a 429, because some of those in flight still succeeded. If none did, the
   * window was used up by others, such as the command before, and says nothing about the limit.
   */
  #learn(now: number): void {
    if (this.#refusedAt === undefined || this.#lengthMs === 0) return;
    const from = this.#refusedAt - this.#lengthMs;
    const accepted = this.#successes.filter((time) => time > from).length;
    this.#refusedAt = undefined;
    this.#successes = [];
    if (accepted === 0) return;
    const hasGrown = this.#quota === Number.POSITIVE_INFINITY || accepted > this.#quota;
    this.#windowsUntilRelearn = hasGrown
      ? 1
      : Math.min(2 * this.#windowsUntilRelearn, MAX_WINDOWS_UNTIL_RELEARN);
    this.#quota = accepted;
    this.#fullWindows = 0;
    this.#start(now);
  }

  /** The quota is used up. While it is learned again, there is none. */
  get #isFull(): boolean {
    return this.#sent >= this.#quota && this.#fullWindows < this.#windowsUntilRelearn;
  }

  #start(now: number): void {
    this.#startedAt = now;
    this.#sent = 0;
  }
}
