import type { Context } from '../../command.js';
import { type ListOptions, printList } from '../shared/list.js';
import { WEBHOOK_VIEW } from './view.js';

export async function run(options: ListOptions, context: Context): Promise<void> {
  const fetchPage = (query: { page?: number; size?: number }) =>
    context.client.call('webhooks.list', { query });
  await printList(options, fetchPage, WEBHOOK_VIEW, context);
}
