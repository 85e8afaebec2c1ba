import type { Context } from '../../command.js';
import { toPage } from '../shared/batch.js';

export async function run(_options: object, { client, output }: Context): Promise<void> {
  await output.result(toPage(await client.call('logs.entityTypes')), {
    redaction: 'plain',
    columns: [
      { title: 'TYPE', field: 'value' },
      { title: 'NAME', field: 'display_name' },
    ],
  });
}
