import type { Client } from '../../client/client.js';
import { ServiceError } from '../../client/errors.js';
import type { ClientHooks, Retry } from '../../client/hooks.js';
import type { AdaptiveLimiter } from './adaptive-limiter.js';

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
