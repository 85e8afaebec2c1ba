import type { Context } from '../../command.js';
import { type ListOptions, printList } from '../shared/list.js';
import { TOKEN_VIEW } from './view.js';

export async function run(
  options: ListOptions & { query: string | undefined },
  context: Context,
): Promise<void> {
  const { query } = options;
  const fetchPage = (page: { page?: number; size?: number }) =>
    context.client.call('tokens.search', { body: { ...(query !== undefined && { query }), ...page } });
  await printList(options, fetchPage, TOKEN_VIEW, context);
}
