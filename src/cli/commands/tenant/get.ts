import type { Context } from '../../command.js';
import { printItem } from '../shared/actor-names.js';

export async function run(_options: object, context: Context): Promise<void> {
  const { client } = context;
  await printItem(await client.call('tenants.get', {}), { redaction: 'plain' }, context);
}
