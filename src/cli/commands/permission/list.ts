import type { Context } from '../../command.js';
import { toPage } from '../shared/batch.js';

export async function run(
  { type }: { type?: string | undefined },
  { client, output }: Context,
): Promise<void> {
  const query = type === undefined ? {} : { application_type: type };
  await output.result(toPage(await client.call('permissions.list', { query })), {
    redaction: 'plain',
    columns: [
      { title: 'PERMISSION', field: 'type', min: 20, importance: 1 },
      { title: 'ALLOWS TO', field: 'description' },
      { title: 'TYPES', field: 'application_types', show: (types) => (types as string[]).join(' ') },
    ],
  });
}
