import type { Context } from '../../command.js';
import { resolveWebhookId } from '../../lib/lookup.js';
import { confirmDeletion } from '../shared/confirm.js';

export async function run({ webhook }: { webhook: string }, context: Context): Promise<void> {
  const { client, output } = context;
  await confirmDeletion(`webhook ${webhook}`, context);
  await client.call('webhooks.delete', { path: { id: await resolveWebhookId(client, webhook) } });
  output.notice(`Deleted webhook ${webhook}. Its pending deliveries are dropped.`);
}
