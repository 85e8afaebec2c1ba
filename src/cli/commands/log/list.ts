import type { Context } from '../../command.js';
import { ID_WIDTH } from '../../output/table.js';
import { showTime, TIME_WIDTH } from '../../output/time.js';
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
        { title: 'TIME', field: 'created_at', show: showTime, min: TIME_WIDTH, importance: 5 },
        { title: 'ACTOR', field: 'actor_type', importance: 2 },
        { title: 'OPERATION', field: 'operation', importance: 4 },
        { title: 'ENTITY', field: 'entity_type', importance: 3 },
        { title: 'ID', field: 'entity_id', min: ID_WIDTH, importance: 1 },
        { title: 'MESSAGE', field: 'message' },
      ],
      empty: 'No entries.',
    },
    context,
  );
}
