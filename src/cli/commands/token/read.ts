import type { Context } from '../../command.js';
import type { CursorOptions } from '../../flags/globals.js';
import type { FilterOptions } from '../../flags/token-flags.js';
import { usageError } from '../../lib/errors.js';
import { printEach } from '../shared/batch.js';
import { parsePairs } from '../shared/input.js';
import { type CursorQuery, type PageQuery, printList, printListByCursor } from '../shared/list.js';
import { TOKEN_VIEW } from './view.js';

export async function getTokens({ id: ids }: { id: string[] }, context: Context): Promise<void> {
  const get = (id: string) => context.client.call('tokens.get', { path: { id } });
  await printEach(ids, get, { view: TOKEN_VIEW, what: 'tokens' }, context);
}

export async function listTokens(options: FilterOptions & CursorOptions, context: Context): Promise<void> {
  const { id, type, container } = options;
  const filters = { metadata: parsePairs(options.metadata ?? [], '--metadata'), type, container };
  const { client } = context;
  if (options.cursor !== undefined) {
    if (id !== undefined) throw usageError('--cursor cannot be used with --id.');
    const fetchPage = (page: CursorQuery) =>
      client.call('tokens.listByCursor', { query: { ...filters, ...page } });
    return printListByCursor(options, fetchPage, TOKEN_VIEW, context);
  }
  const fetchPage = (page: PageQuery) => client.call('tokens.list', { query: { id, ...filters, ...page } });
  await printList(options, fetchPage, TOKEN_VIEW, context);
}

export async function searchTokens(
  options: CursorOptions & { query: string | undefined },
  context: Context,
): Promise<void> {
  const { client } = context;
  const query = options.query === undefined ? {} : { query: options.query };
  if (options.cursor !== undefined) {
    const fetchPage = (page: CursorQuery) =>
      client.call('tokens.searchByCursor', { body: { ...query, ...page } });
    return printListByCursor(options, fetchPage, TOKEN_VIEW, context);
  }
  const fetchPage = (page: PageQuery) => client.call('tokens.search', { body: { ...query, ...page } });
  await printList(options, fetchPage, TOKEN_VIEW, context);
}
