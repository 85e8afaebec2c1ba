import { everyItem, type FetchPage } from '../../../client/pages.js';
import type { Context } from '../../command.js';
import type { CursorOptions, PageOptions } from '../../flags/globals.js';
import { usageError } from '../../lib/errors.js';
import type { View } from '../../output/view.js';

function validate({ page, limit, all }: PageOptions): void {
  if (limit !== undefined && limit < 1) throw usageError('--limit must be at least 1.');
  if (page !== undefined && (all || limit !== undefined))
    throw usageError('--page cannot be used with --all or --limit.');
  if (all && limit !== undefined) throw usageError('--all cannot be used with --limit.');
}

/**
 * Prints one page as the API returns it. With `--all` or `--limit` it prints the items of several pages in the same shape,
 * where `pagination` holds `total_items` alone.
 */
export async function printList<Item>(
  options: PageOptions,
  fetchPage: (query: { page?: number; size?: number }) => ReturnType<FetchPage<Item>>,
  view: View,
  { output }: Context,
): Promise<void> {
  validate(options);
  let total = 0;
  let shown: number;
  if (options.all || options.limit !== undefined) {
    const fetch: FetchPage<Item> = async (page, size) => {
      const response = await fetchPage({ page, size });
      total = response.pagination.total_items;
      return response;
    };
    const { limit, size } = options;
    shown = await output.items(
      everyItem(fetch, { ...(limit !== undefined && { limit }), ...(size !== undefined && { size }) }),
      view,
      () => total,
    );
  } else {
    const { page, size } = options;
    const response = await fetchPage({
      ...(page !== undefined && { page }),
      ...(size !== undefined && { size }),
    });
    total = response.pagination.total_items;
    shown = response.data.length;
    await output.result(response, view);
  }
  if (shown < total) output.notice(`${shown} of ${total} · --all for everything`);
}

/** Prints one page of a list by cursor, and how to get the next one. */
export async function printListByCursor<Page extends { pagination: { next?: string | undefined } }>(
  { cursor, size, page, limit, all }: CursorOptions,
  fetchPage: (query: { start?: string; size?: number }) => Promise<Page>,
  view: View,
  { output }: Context,
): Promise<void> {
  if (page !== undefined || limit !== undefined || all)
    throw usageError('--cursor cannot be used with --page, --limit or --all.');
  const response = await fetchPage({
    ...(typeof cursor === 'string' && { start: cursor }),
    ...(size !== undefined && { size }),
  });
  await output.result(response, view);
  const { next } = response.pagination;
  if (next !== undefined) output.notice(`There are more: --cursor ${next}`);
}
