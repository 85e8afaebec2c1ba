import type { Context } from '../../command.js';
import { parsePairs } from '../shared/input.js';
import { type ListOptions, printList } from '../shared/list.js';
import { TOKEN_VIEW } from './view.js';

export interface TokenListOptions extends ListOptions {
  id?: string[] | undefined;
  metadata?: string[] | undefined;
  type?: string | undefined;
  container?: string | undefined;
}

export async function run(options: TokenListOptions, context: Context): Promise<void> {
  const { id, type, container } = options;
  const metadata = parsePairs(options.metadata ?? [], '--metadata');
  const fetchPage = (page: { page?: number; size?: number }) =>
    context.client.call('tokens.list', { query: { id, metadata, type, container, ...page } });
  await printList(options, fetchPage, TOKEN_VIEW, context);
}
