import { stringify } from 'csv-stringify/sync';
import { LRUCache } from 'lru-cache';
import type { Token } from '../../contract/schemas/index.js';
import { EXPORT_COLUMNS, toCells } from './csv-columns.js';
import { PAGE_SIZE, type PageReader } from './page-reader.js';
import type { BulkFormat } from './rejects.js';

/**
 * IDs to remember. A token that is created during the export moves the others down the pages, so that some of them
 * appear twice.
 */
const MAX_RECENT_IDS = 50 * PAGE_SIZE;

/**
 * Reads all matching tokens page by page, in constant memory, each token once.
 * @param onTotal Called with the total number of tokens for each page.
 */
export async function* readTokenPages(
  reader: PageReader,
  onTotal: (total: number) => void,
): AsyncGenerator<Token[], void, void> {
  const recent = new LRUCache<string, true>({ max: MAX_RECENT_IDS });
  for await (const { data, pagination } of reader.pages()) {
    onTotal(pagination.total_items);
    yield data.filter(({ id }) => !recent.has(id));
    for (const { id } of data) recent.set(id, true);
  }
}

/** Formats pages of tokens as NDJSON, or as CSV with a heading. */
export async function* formatTokens(
  pages: AsyncIterable<readonly object[]>,
  format: BulkFormat,
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield stringify([[...EXPORT_COLUMNS]]);
  for await (const tokens of pages) {
    if (tokens.length === 0) continue;
    yield format === 'csv'
      ? stringify(tokens.map((token) => toCells(token as Record<string, unknown>)))
      : tokens.map((token) => `${JSON.stringify(token)}\n`).join('');
  }
}
