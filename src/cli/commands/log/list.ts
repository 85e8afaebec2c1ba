import type { Context } from '../../command.js';
import { type ListOptions, printList } from '../shared/list.js';

export interface LogOptions extends ListOptions {
  entityType?: string | undefined;
  entityId?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

export async function run(options: LogOptions, context: Context): Promise<void> {
  const filters = {
    entity_type: options.entityType,
    entity_id: options.entityId,
    start_date: options.startDate,
    end_date: options.endDate,
  };
  const fetchPage = (page: { page?: number; size?: number }) =>
    context.client.call('logs.list', { query: { ...filters, ...page } });
  await printList(
    options,
    fetchPage,
    {
      redaction: 'plain',
      columns: [
        { title: 'TIME', field: 'created_at' },
        { title: 'ACTOR', field: 'actor_type' },
        { title: 'OPERATION', field: 'operation' },
        { title: 'ENTITY', field: 'entity_type' },
        { title: 'ID', field: 'entity_id' },
        { title: 'MESSAGE', field: 'message' },
      ],
      empty: 'No entries.',
    },
    context,
  );
}
