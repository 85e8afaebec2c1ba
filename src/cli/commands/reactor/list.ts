import type { Context } from '../../command.js';
import { type ListOptions, printList } from '../shared/list.js';
import { REACTOR_VIEW } from './view.js';

export interface ReactorListOptions extends ListOptions {
  id?: string[] | undefined;
  name?: string | undefined;
}

export async function run(options: ReactorListOptions, context: Context): Promise<void> {
  const { id, name } = options;
  const fetchPage = (page: { page?: number; size?: number }) =>
    context.client.call('reactors.list', { query: { id, name, ...page } });
  await printList(options, fetchPage, REACTOR_VIEW, context);
}
