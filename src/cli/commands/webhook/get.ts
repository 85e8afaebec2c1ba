import type { Context } from '../../command.js';
import { resolveWebhookId } from '../../lib/lookup.js';
import { WEBHOOK_VIEW } from './view.js';

export async function run({ webhook }: { webhook: string }, { client, output }: Context): Promise<void> {
  const id = await resolveWebhookId(client, webhook);
  await output.result(await client.call('webhooks.get', { path: { id } }), WEBHOOK_VIEW);
}
