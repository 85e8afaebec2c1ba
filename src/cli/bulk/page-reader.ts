import type { Client } from '../../client/client.js';
import { ServiceError } from '../../client/errors.js';
import type { ClientHooks } from '../../client/hooks.js';
import type { CallInput } from '../../client/request.js';
import { LIMITS } from '../../contract/limits.js';
import type { OperationBody } from '../../contract/schemas/index.js';
import type { AdaptiveLimiter } from './adaptive-limiter.js';

export type TokenQuery = CallInput<'tokens.list'>['query'];
export type TokenPage = OperationBody<'tokens.list'>;

export const PAGE_SIZE = LIMITS.pageSize.maximum;

export interface PageReaderOptions {
  /** Creates the client that reads the pages, with the hooks of the reader. */
  createClient: (hooks: ClientHooks) => Client;
  limiter: AdaptiveLimiter;
  /** Pages that are read before the first of them is used. Bounds the memory. */
  ahead: number;
}

/** Reads the pages of a list of tokens concurrently, as far as the rate limits of the service allow. */
export class PageReader {
  readonly #client: Client;

  constructor(private readonly options: PageReaderOptions) {
    const { limiter } = options;
    this.#client = options.createClient({
      onRateLimited: ({ error }) =>
        limiter.onRateLimited(error instanceof ServiceError ? error.retryAfter : undefined),
      beforeRetry: () => limiter.admit(),
    });
  }

  /** Yields the pages in order, as many as the latest one says there are. */
  async *pages(query: TokenQuery): AsyncGenerator<TokenPage, void, void> {
    const first = await this.#read(query, 1);
    yield first;
    const inFlight: Promise<TokenPage>[] = [];
    let total = first.pagination.total_pages;
    let next = 2;
    for (;;) {
      while (next <= total && inFlight.length < this.options.ahead) {
        const page = this.#read(query, next++);
        // Handled when its turn comes, unless an earlier page fails.
        page.catch(() => {});
        inFlight.push(page);
      }
      const page = await inFlight.shift();
      if (!page) return;
      total = page.pagination.total_pages;
      yield page;
    }
  }

  async #read(query: TokenQuery, page: number): Promise<TokenPage> {
    const { limiter } = this.options;
    await limiter.acquire();
    try {
      await limiter.admit();
      const result = await this.#client.call('tokens.list', { query: { ...query, page, size: PAGE_SIZE } });
      limiter.onSuccess();
      return result;
    } finally {
      limiter.release();
    }
  }
}
