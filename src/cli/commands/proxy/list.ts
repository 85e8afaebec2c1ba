import type { Context } from '../../command.js';
import { type ListOptions, printList } from '../shared/list.js';
import { PROXY_VIEW } from './view.js';

export async function run(
  options: ListOptions & { id?: string[] | undefined; name?: string | undefined },
  context: Context,
): Promise<void> {
  const { id, name } = options;
  const fetchPage = (page: { page?: number; size?: number }) =>
    context.client.call('proxies.list', { query: { id, name, ...page } });
  await printList(options, fetchPage, PROXY_VIEW, context);
}
