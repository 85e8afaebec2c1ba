import { LIMITS } from '../contract/limits.js';
import type { Pagination } from '../contract/schemas/index.js';

export interface Page<Item> {
  pagination: Pagination;
  data: Item[];
}

/** Fetches one page, `number` from 1. */
export type FetchPage<Item> = (number: number, size: number) => Promise<Page<Item>>;

/**
 * Yields the items of all pages in order, at most `limit` of them. An item that moves to the next page because a new one
 * was created while the pages are read comes once.
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
    const { data, pagination } = await fetchPage(number, pageSize);
    for (const item of data) {
      if (previous.has(idOf(item))) continue;
      yield item;
      given++;
      if (given >= limit) return;
    }
    if (number >= pagination.total_pages) return;
    previous = new Set(data.map(idOf));
  }
}

/** Items without an id are compared by identity. */
function idOf(item: unknown): unknown {
  return (item as { id?: unknown }).id ?? item;
}
