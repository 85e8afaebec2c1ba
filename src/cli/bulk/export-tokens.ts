import { stringify } from 'csv-stringify/sync';
import type { Client } from '../../client/client.js';
import type { CallInput } from '../../client/request.js';
import { LIMITS } from '../../contract/limits.js';
import type { Token } from '../../contract/schemas/index.js';
import { cellsOf, EXPORT_COLUMNS } from './csv-columns.js';
import type { BulkFormat } from './rejects.js';

const PAGE_SIZE = LIMITS.pageSize.maximum;
/** A token that is created meanwhile moves the others down the pages, so that some come twice; this many are remembered. */
const REMEMBERED = 50 * PAGE_SIZE;

/** The ids that were last seen, oldest forgotten first. */
class RecentIds {
  readonly #ids = new Set<string>();

  /** Whether the id is new. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > REMEMBERED) this.#ids.delete(this.#ids.values().next().value as string);
    return true;
  }
}

/**
 * All tokens that match, a page at a time, in constant memory; each once.
 * @param onTotal is told how many there are.
 */
export async function* tokenPages(
  client: Client,
  query: NonNullable<CallInput<'tokens.list'>['query']>,
  onTotal: (total: number) => void,
): AsyncGenerator<Token[], void, void> {
  const recent = new RecentIds();
  for (let page = 1; ; page++) {
    const { data, pagination } = await client.call('tokens.list', {
      query: { ...query, page, size: PAGE_SIZE },
    });
    onTotal(pagination.total_items);
    yield data.filter(({ id }) => recent.add(id));
    if (page >= pagination.total_pages) return;
  }
}

/** Text of pages of tokens: JSON lines, or CSV with a heading. */
export async function* formatTokens(
  pages: AsyncIterable<readonly object[]>,
  format: BulkFormat,
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield stringify([[...EXPORT_COLUMNS]]);
  for await (const tokens of pages) {
    if (tokens.length === 0) continue;
    yield format === 'csv'
      ? stringify(tokens.map((token) => cellsOf(token as Record<string, unknown>)))
      : tokens.map((token) => `${JSON.stringify(token)}\n`).join('');
  }
}
