import type { Context } from '../../command.js';
import { type ListOptions, printList } from '../shared/list.js';
import { APPLICATION_VIEW } from './view.js';

export async function run(
  options: ListOptions & { id?: string[] | undefined },
  context: Context,
): Promise<void> {
  const fetchPage = (page: { page?: number; size?: number }) =>
    context.client.call('applications.list', { query: { id: options.id, ...page } });
  await printList(options, fetchPage, APPLICATION_VIEW, context);
}
