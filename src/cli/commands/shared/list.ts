import { everyItem, type FetchPage } from '../../../client/pages.js';
import type { Context } from '../../command.js';
import type { CursorOptions, PageOptions } from '../../flags/globals.js';
import { usageError } from '../../lib/errors.js';
import type { View } from '../../output/view.js';

export type PageQuery = { page?: number | undefined; size?: number | undefined };
export type CursorQuery = { start?: string | undefined; size?: number | undefined };

function validate({ page, limit, all }: PageOptions): void {
  if (page !== undefined && (all || limit !== undefined))
    throw usageError('--page cannot be used with --all or --limit.');
  if (all && limit !== undefined) throw usageError('--all cannot be used with --limit.');
}

/** Prints one page as it is, or with `--all` or `--limit` the items of several in the same shape, with `total_items` alone. */
export async function printList<Item>(
  options: PageOptions,
  fetchPage: (query: PageQuery) => ReturnType<FetchPage<Item>>,
  view: View,
  { output }: Context,
): Promise<void> {
  validate(options);
  const { page, size, limit, all } = options;
  let total = 0;
  const fetch = async (query: PageQuery) => {
    const response = await fetchPage(query);
    total = response.pagination.total_items;
    return response;
  };
  let shown: number;
  if (all || limit !== undefined) {
    const fetchNumbered: FetchPage<Item> = (number, pageSize) => fetch({ page: number, size: pageSize });
    const bounds = { ...(limit !== undefined && { limit }), ...(size !== undefined && { size }) };
    shown = await output.items(everyItem(fetchNumbered, bounds), view, () => total);
  } else {
    const response = await fetch({ page, size });
    shown = response.data.length;
    await output.result(response, view);
  }
  if (shown < total) output.notice(`${shown} of ${total} · --all for everything`);
}

export async function printListByCursor<Page extends { pagination: { next?: string | undefined } }>(
  { cursor, size, page, limit, all }: CursorOptions,
  fetchPage: (query: CursorQuery) => Promise<Page>,
  view: View,
  { output }: Context,
): Promise<void> {
  if (page !== undefined || limit !== undefined || all)
    throw usageError('--cursor cannot be used with --page, --limit or --all.');
  const response = await fetchPage({ start: typeof cursor === 'string' ? cursor : undefined, size });
  await output.result(response, view);
  const { next } = response.pagination;
  if (next !== undefined) output.notice(`There are more: --cursor ${next}`);
}
