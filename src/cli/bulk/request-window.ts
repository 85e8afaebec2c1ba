/** Added to the length of a window, because requests take longer to arrive at some times than at others. */
const MARGIN_MS = 250;
/** Successes are remembered for the longest window that can be learned. */
const MAX_LENGTH_MS = 60_000;
/** Full windows without a 429 after which the quota is raised by a quarter: the limit may be higher now. */
const WINDOWS_UNTIL_RAISE = 10;

/**
 * Learns from 429 responses how many requests a service accepts in which time, so that later requests stay below that.
 * A service that blocks a client for as long as its window takes would otherwise refuse everything half of the time.
 * Times are milliseconds on the clock of `performance.now()`.
 */
export class RequestWindow {
  #quota = Number.POSITIVE_INFINITY;
  #lengthMs = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  #sent = 0;
  #fullWindows = 0;
  /** Times of successful responses, ascending. */
  #successes: number[] = [];
  #refusedAt: number | undefined;

  /** Milliseconds until another request fits into the quota; 0 at most times. */
  delayMs(now: number): number {
    this.#learn(now);
    const isFull = this.#sent >= this.#quota;
    return isFull ? Math.max(0, this.#startedAt + this.#lengthMs + MARGIN_MS - now) : 0;
  }

  /** Counts a request that is about to be sent. */
  onSend(now: number): void {
    if (now >= this.#startedAt + this.#lengthMs + MARGIN_MS) this.#start(now);
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
    if (accepted === 0) return;
    this.#quota = accepted;
    this.#fullWindows = 0;
    this.#start(now);
  }

  #start(now: number): void {
    if (this.#sent >= this.#quota && ++this.#fullWindows >= WINDOWS_UNTIL_RAISE) {
      this.#quota = Math.ceil(this.#quota * 1.25);
      this.#fullWindows = 0;
    }
    this.#startedAt = now;
    this.#sent = 0;
  }
}
