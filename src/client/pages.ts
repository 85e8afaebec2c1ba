import { LIMITS } from '../contract/limits.js';
import type { Pagination } from '../contract/schemas/index.js';
import { ServiceError } from './errors.js';

export interface Page<Item> {
  pagination: Pagination;
  data: Item[];
}

export type FetchPage<Item> = (number: number, size: number) => Promise<Page<Item>>;

/**
 * Yields the items of all pages in order, at most `limit` of them. An item that moves to the next page because a new one
 * was created while the pages are read comes once. A page that is longer than a response may be is read in parts.
 * @param size items per page, 100 by default.
 */
export async function* everyItem<Item>(
  fetchPage: FetchPage<Item>,
  { limit = Number.POSITIVE_INFINITY, size: wanted = LIMITS.pageSize.maximum as number } = {},
): AsyncGenerator<Item, void, void> {
  const whole = Math.min(wanted, limit);
  let [size, start, given] = [whole, 0, 0];
  let [ids, previous] = [new Set<unknown>(), new Set<unknown>()];
  for (;;) {
    let page: Page<Item>;
    try {
      page = await fetchPage(start / size + 1, size);
    } catch (error) {
      if (size === 1 || !isPageTooLarge(error)) throw error;
      // Each part begins where a smaller one does.
      size /= smallestFactor(size);
      continue;
    }
    for (const item of page.data) {
      const id = idOf(item);
      const isRepeated = previous.has(id) || ids.has(id);
      ids.add(id);
      if (isRepeated) continue;
      yield item;
      given++;
      if (given >= limit) return;
    }
    start += size;
    if (page.data.length === 0 || start >= page.pagination.total_items) return;
    if (start % whole === 0) [ids, previous, size] = [new Set(), ids, whole];
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
