import type { Context } from '../../command.js';
import { toPage } from '../shared/batch.js';

export async function run(_options: object, { client, output }: Context): Promise<void> {
  const types = await client.call('webhooks.eventTypes');
  await output.result(toPage(types.map((type) => ({ type }))), {
    redaction: 'plain',
    columns: [{ title: 'TYPE', field: 'type' }],
  });
}
