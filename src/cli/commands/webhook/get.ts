import type { Context } from '../../command.js';
import { resolveWebhookId } from '../../lib/lookup.js';
import { printItem } from '../shared/actor-names.js';
import { WEBHOOK_VIEW } from './view.js';

export async function run({ webhook }: { webhook: string }, context: Context): Promise<void> {
  const { client } = context;
  const id = await resolveWebhookId(client, webhook);
  await printItem(await client.call('webhooks.get', { path: { id } }), WEBHOOK_VIEW, context);
}
