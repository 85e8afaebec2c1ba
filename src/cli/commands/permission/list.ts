import type { Context } from '../../command.js';
import { type ListOptions, printList } from '../shared/list.js';

export async function run(options: ListOptions, context: Context): Promise<void> {
  const fetchPage = (page: { page?: number; size?: number }) =>
    context.client.call('permissions.list', { query: page });
  await printList(
    options,
    fetchPage,
    {
      redaction: 'plain',
      columns: [
        { title: 'PERMISSION', field: 'name', min: 20, importance: 1 },
        { title: 'ALLOWS TO', field: 'description' },
        { title: 'TYPES', field: 'application_types', show: (types) => (types as string[]).join(' ') },
      ],
    },
    context,
  );
}
