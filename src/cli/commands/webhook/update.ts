import type { Context } from '../../command.js';
import { resolveWebhookId } from '../../lib/lookup.js';
import { printItem } from '../shared/actor-names.js';
import { expandEvents, type WebhookOptions } from './content.js';
import { WEBHOOK_VIEW } from './view.js';

/** Changes the given fields and keeps the others, since the service replaces the webhook as a whole. */
export async function run(
  { webhook, ...options }: WebhookOptions & { webhook: string },
  context: Context,
): Promise<void> {
  const { client } = context;
  const path = { id: await resolveWebhookId(client, webhook) };
  const { name, url, events, notify_email } = await client.call('webhooks.get', { path });
  const email = options.notifyEmail ?? notify_email;
  const body = {
    name: options.name ?? name,
    url: options.url ?? url,
    events: options.event === undefined ? events : expandEvents(options.event),
    ...(email !== undefined && { notify_email: email }),
  };
  await printItem(await client.call('webhooks.replace', { path, body }), WEBHOOK_VIEW, context);
}
