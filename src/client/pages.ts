import { LIMITS } from '../contract/limits.js';
import type { Pagination } from '../contract/schemas/index.js';
import { ServiceError } from './errors.js';

export interface Page<Item> {
  pagination: Pagination;
  data: Item[];
}

/** Fetches one page, `number` from 1. */
export type FetchPage<Item> = (number: number, size: number) => Promise<Page<Item>>;

/**
 * Yields the items of all pages in order, at most `limit` of them. An item that moves to the next page because a new one
 * was created while the pages are read comes once. A page that is longer than a response may be is read in parts.
 * @param size items per page, 100 by default.
 */
export async function* everyItem<Item>(
  fetchPage: FetchPage<Item>,
  { limit = Number.POSITIVE_INFINITY, size = LIMITS.pageSize.maximum as number } = {},
): AsyncGenerator<Item, void, void> {
  let given = 0;
  let previous = new Set<unknown>();
  const pageSize = Math.min(size, limit);
  for (let number = 1; ; number++) {
    const ids = new Set<unknown>();
    let total = 0;
    for await (const { data, pagination } of partsOf(fetchPage, number, pageSize)) {
      total = pagination.total_items;
      for (const item of data) {
        const id = idOf(item);
        const isRepeated = previous.has(id) || ids.has(id);
        ids.add(id);
        if (isRepeated) continue;
        yield item;
        given++;
        if (given >= limit) return;
      }
    }
    if (ids.size === 0 || number * pageSize >= total) return;
    previous = ids;
  }
}

/** Yields a page, or the smaller pages that it consists of if it is longer than a response may be. */
async function* partsOf<Item>(
  fetchPage: FetchPage<Item>,
  number: number,
  size: number,
): AsyncGenerator<Page<Item>, void, void> {
  let page: Page<Item>;
  try {
    page = await fetchPage(number, size);
  } catch (error) {
    if (size > 1 && isPageTooLarge(error)) return yield* smallerPages(fetchPage, number, size);
    throw error;
  }
  yield page;
}

async function* smallerPages<Item>(
  fetchPage: FetchPage<Item>,
  number: number,
  size: number,
): AsyncGenerator<Page<Item>, void, void> {
  const parts = smallestFactor(size);
  const partSize = size / parts;
  for (let part = (number - 1) * parts + 1; part <= number * parts; part++) {
    let total = 0;
    for await (const page of partsOf(fetchPage, part, partSize)) {
      total = page.pagination.total_items;
      yield page;
    }
    if (part * partSize >= total) return;
  }
}

function smallestFactor(size: number): number {
  for (let factor = 2; factor < size; factor++) if (size % factor === 0) return factor;
  return size;
}

/** Whether a page exceeds the size of a response: the size that was asked for is allowed in itself. */
export function isPageTooLarge(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.status !== 400) return false;
  return Object.keys(error.problem.errors ?? {}).some((path) => /^(?:query\.)?size$/.test(path));
}

/** Items without an id are compared by identity. */
function idOf(item: unknown): unknown {
  return (item as { id?: unknown }).id ?? item;
}
