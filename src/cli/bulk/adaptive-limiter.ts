import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.js';
import { ServiceError } from '../../client/errors.js';
import type { ClientHooks, Retry } from '../../client/request.js';

const FIRST_LIMIT = 4;
const DEFAULT_PAUSE_MS = 1_000;
/** `Retry-After` is honoured up to one minute. */
const MAX_PAUSE_MS = 60_000;
/** Added to the length of a window, because requests take longer to arrive at some times than at others. */
const WINDOW_MARGIN_MS = 250;
/** Full windows after which the quota is learned again: other clients may have used a part of the window that taught it. */
const WINDOWS_UNTIL_RELEARN = 8;

/**
 * Limits how many requests are in flight, by additive increase and multiplicative decrease: each success raises the
 * limit a little, a 429 halves it and pauses all requests together. What the service accepted before a 429 then limits
 * how many requests are sent in the same time.
 */
export class AdaptiveLimiter {
  #limit: number;
  #active = 0;
  /** On the clock of `performance.now()`. */
  #resumeAt = 0;
  #waiting: (() => void)[] = [];
  readonly #window = new RequestWindow();

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
    this.#window.onSuccess();
    this.#limit = Math.min(this.maximum, this.#limit + 1 / this.#limit);
  }

  /** Halves the limit and starts a pause. @param retryAfter seconds; 1 by default. */
  onRateLimited(retryAfter: number | undefined): void {
    const now = performance.now();
    // All requests that one blocked window refuses count as one signal.
    if (now >= this.#resumeAt) this.#limit = Math.max(1, this.#limit / 2);
    const pause = retryAfter === undefined ? DEFAULT_PAUSE_MS : Math.min(retryAfter * 1000, MAX_PAUSE_MS);
    this.#resumeAt = Math.max(this.#resumeAt, now + pause);
    this.#window.onRateLimited(pause);
  }

  /** Waits until the next request may be sent, and counts it. Call it before each attempt. @throws the reason of the signal. */
  async admit(): Promise<void> {
    for (let left = this.#waitMs(); left > 0; left = this.#waitMs())
      await sleep(left, undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted());
    this.#window.onSend(performance.now());
  }

  #waitMs(): number {
    const now = performance.now();
    return Math.max(0, this.#resumeAt - now) || this.#window.delayMs(now);
  }
}

/**
 * Learns from 429 responses how many requests a service accepts in which time, so that later requests stay below that.
 * A service that blocks a client for as long as its window takes would otherwise refuse everything half of the time. It is
 * not known when the window before the first 429 began; therefore the requests of the next one are counted.
 * Times are milliseconds on the clock of `performance.now()`.
 */
export class RequestWindow {
  #quota = Number.POSITIVE_INFINITY;
  #lengthMs = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  #sent = 0;
  #accepted = 0;
  #isRefused = false;
  #fullWindows = 0;

  /** Milliseconds until another request fits into the quota; 0 at most times. */
  delayMs(now: number): number {
    return this.#sent < this.#quota ? 0 : Math.max(0, this.#endsAt - now);
  }

  /** Counts a request that is about to be sent. */
  onSend(now: number): void {
    if (this.#lengthMs > 0 && (this.#isRefused || now >= this.#endsAt)) this.#start(now);
    this.#sent++;
  }

  onSuccess(): void {
    this.#accepted++;
  }

  /** @param pauseMs the time that the service asks for */
  onRateLimited(pauseMs: number): void {
    if (pauseMs === 0) return;
    this.#isRefused = Number.isFinite(this.#startedAt);
    this.#lengthMs = Math.max(this.#lengthMs, pauseMs);
  }

  get #endsAt(): number {
    return this.#startedAt + this.#lengthMs + WINDOW_MARGIN_MS;
  }

  #start(now: number): void {
    // Without any that was accepted, others had used up the window.
    if (this.#isRefused && this.#accepted > 0) {
      this.#quota = this.#accepted;
      this.#fullWindows = 0;
    } else if (this.#sent >= this.#quota && ++this.#fullWindows === WINDOWS_UNTIL_RELEARN)
      this.#quota = Number.POSITIVE_INFINITY;
    this.#startedAt = now;
    this.#sent = 0;
    this.#accepted = 0;
    this.#isRefused = false;
  }
}

export interface LimitedClientOptions {
  /** Creates the client that sends the requests, with hooks that obey the limiter. */
  createClient: (hooks: ClientHooks) => Client;
  limiter: AdaptiveLimiter;
  /** Called before each retry. */
  onRetry?: (retry: Retry) => void;
}

/** Sends requests, and repeats them, no faster than a limiter admits. */
export class LimitedClient {
  readonly #client: Client;
  readonly #limiter: AdaptiveLimiter;

  constructor({ createClient, limiter, onRetry }: LimitedClientOptions) {
    this.#limiter = limiter;
    this.#client = createClient({
      onRateLimited: ({ error }) =>
        limiter.onRateLimited(error instanceof ServiceError ? error.retryAfter : undefined),
      beforeRetry: (retry) => {
        onRetry?.(retry);
        return limiter.admit();
      },
    });
  }

  /** Sends a request. @throws what the client throws; the reason of the limiter's signal. */
  async send<Result>(request: (client: Client) => Promise<Result>): Promise<Result> {
    await this.#limiter.admit();
    const result = await request(this.#client);
    this.#limiter.onSuccess();
    return result;
  }
}
