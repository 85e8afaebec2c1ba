import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.js';
import { ServiceError } from '../../client/errors.js';
import type { ClientHooks, Retry } from '../../client/request.js';

const DEFAULT_PAUSE_MS = 1_000;
/** `Retry-After` is honoured up to one minute. */
const MAX_PAUSE_MS = 60_000;

export interface LimitedClientOptions {
  /** Creates the client that sends the requests. */
  createClient: (hooks: ClientHooks) => Client;
  /** Ends a pause. */
  signal: AbortSignal;
  /** Called before each retry. */
  onRetry?: (retry: Retry) => void;
}

/** Sends the requests of a bulk job. A 429 pauses all of them for as long as the service asks. */
export class LimitedClient {
  readonly #client: Client;
  readonly #signal: AbortSignal;
  /** On the clock of `performance.now()`. */
  #resumeAt = 0;

  constructor({ createClient, signal, onRetry }: LimitedClientOptions) {
    this.#signal = signal;
    this.#client = createClient({
      onRateLimited: ({ error }) => this.#pause(error instanceof ServiceError ? error.retryAfter : undefined),
      beforeRetry: (retry) => {
        onRetry?.(retry);
        return this.#wait();
      },
    });
  }

  /** Sends a request. @throws what the client throws; the reason of the signal */
  async send<Result>(request: (client: Client) => Promise<Result>): Promise<Result> {
    await this.#wait();
    return request(this.#client);
  }

  /** @param retryAfter seconds; 1 by default */
  #pause(retryAfter: number | undefined): void {
    const pause = retryAfter === undefined ? DEFAULT_PAUSE_MS : Math.min(retryAfter * 1000, MAX_PAUSE_MS);
    this.#resumeAt = Math.max(this.#resumeAt, performance.now() + pause);
  }

  async #wait(): Promise<void> {
    for (;;) {
      const left = this.#resumeAt - performance.now();
      if (left <= 0) return;
      await sleep(left, undefined, { signal: this.#signal }).catch(() => this.#signal.throwIfAborted());
    }
  }
}
