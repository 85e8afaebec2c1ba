import type { Context } from '../../command.js';
import { printItem } from '../shared/actor-names.js';
import { requireFlags } from '../shared/required-flags.js';
import { expandEvents, type WebhookOptions } from './content.js';
import { WEBHOOK_VIEW } from './view.js';

export async function run(options: WebhookOptions, context: Context): Promise<void> {
  const { client } = context;
  const { '--url': url, '--event': event } = requireFlags({ '--url': options.url, '--event': options.event });
  const body = {
    name: options.name ?? url,
    url,
    events: expandEvents(event),
    ...(options.notifyEmail !== undefined && { notify_email: options.notifyEmail }),
  };
  await printItem(await client.call('webhooks.create', { body }), WEBHOOK_VIEW, context);
}
