import type { Context } from '../../command.js';
import { type CursorListOptions, printList, printListByCursor } from '../shared/list.js';
import { TOKEN_VIEW } from './view.js';

export async function run(
  options: CursorListOptions & { query: string | undefined },
  context: Context,
): Promise<void> {
  const { client } = context;
  const query = options.query === undefined ? {} : { query: options.query };
  if (options.cursor !== undefined) {
    const fetchPage = (page: { start?: string; size?: number }) =>
      client.call('tokens.searchByCursor', { body: { ...query, ...page } });
    return printListByCursor(options, fetchPage, TOKEN_VIEW, context);
  }
  const fetchPage = (page: { page?: number; size?: number }) =>
    client.call('tokens.search', { body: { ...query, ...page } });
  await printList(options, fetchPage, TOKEN_VIEW, context);
}
