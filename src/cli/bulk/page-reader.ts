import type { Client } from '../../client/client.js';
import { isPageTooLarge } from '../../client/pages.js';
import { LIMITS } from '../../contract/limits.js';
import type { OperationBody } from '../../contract/schemas/index.js';
import type { AdaptiveLimiter } from './adaptive-limiter.js';
import { LimitedClient, type LimitedClientOptions } from './adaptive-limiter.js';

type TokenPage = OperationBody<'tokens.list'>;

export const PAGE_SIZE = LIMITS.pageSize.maximum;

/** Page sizes to fall back to, each a part of the one before, so that smaller pages fill a larger one exactly. */
const SIZES: readonly number[] = [PAGE_SIZE, PAGE_SIZE / 2, PAGE_SIZE / 4, PAGE_SIZE / 20, 1];

interface PageReaderOptions extends LimitedClientOptions {
  limiter: AdaptiveLimiter;
  /** Reads one page, `number` from 1. */
  fetchPage: (client: Client, page: { page: number; size: number }) => Promise<TokenPage>;
  /** Pages that are read before the first of them is used. Bounds the memory. */
  ahead: number;
}

/** Reads the pages of a list of tokens concurrently, as far as the rate limits of the service allow. */
export class PageReader {
  readonly #client: LimitedClient;

  constructor(private readonly options: PageReaderOptions) {
    this.#client = new LimitedClient(options);
  }

  /** Yields the pages in order, as many as the latest one says there are; one that is too large in parts. */
  async *pages(): AsyncGenerator<TokenPage, void, void> {
    const inFlight: Promise<TokenPage | undefined>[] = [];
    let total = 1;
    let requested = 0;
    for (let number = 1; number <= total; number++) {
      while (requested < total && inFlight.length < this.options.ahead) {
        const page = this.#read(++requested, PAGE_SIZE);
        // Handled when its turn comes, unless an earlier page fails.
        page.catch(() => {});
        inFlight.push(page);
      }
      const page = await inFlight.shift();
      for await (const part of page ? [page] : this.#parts(number)) {
        total = Math.ceil(part.pagination.total_items / PAGE_SIZE);
        yield part;
      }
    }
  }

  /** Yields a page that is too large as smaller ones, one after another, since each of them may be large. */
  async *#parts(number: number, level = 1): AsyncGenerator<TokenPage, void, void> {
    const [whole = 1, size = 1] = SIZES.slice(level - 1);
    const parts = whole / size;
    for (let part = (number - 1) * parts + 1; part <= number * parts; part++) {
      const page = await this.#read(part, size);
      if (page) yield page;
      else yield* this.#parts(part, level + 1);
      if (page && part >= page.pagination.total_pages) return;
    }
  }

  /** Reads a page; undefined if it is larger than a response may be. */
  async #read(page: number, size: number): Promise<TokenPage | undefined> {
    const { limiter, fetchPage } = this.options;
    await limiter.acquire();
    try {
      return await this.#client.send((client) => fetchPage(client, { page, size }));
    } catch (error) {
      if (size > 1 && isPageTooLarge(error)) return undefined;
      throw error;
    } finally {
      limiter.release();
    }
  }
}
