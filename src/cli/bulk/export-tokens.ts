import { stringify } from 'csv-stringify/sync';
import { LRUCache } from 'lru-cache';
import type { Client } from '../../client/client.js';
import type { CallInput } from '../../client/request.js';
import { LIMITS } from '../../contract/limits.js';
import type { Token } from '../../contract/schemas/index.js';
import { EXPORT_COLUMNS, toCells } from './csv-columns.js';
import type { BulkFormat } from './rejects.js';

const PAGE_SIZE = LIMITS.pageSize.maximum;

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
  client: Client,
  query: CallInput<'tokens.list'>['query'],
  onTotal: (total: number) => void,
): AsyncGenerator<Token[], void, void> {
  const recent = new LRUCache<string, true>({ max: MAX_RECENT_IDS });
  for (let page = 1; ; page++) {
    const { data, pagination } = await client.call('tokens.list', {
      query: { ...query, page, size: PAGE_SIZE },
    });
    onTotal(pagination.total_items);
    yield data.filter(({ id }) => !recent.has(id));
    for (const { id } of data) recent.set(id, true);
    if (page >= pagination.total_pages) return;
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
