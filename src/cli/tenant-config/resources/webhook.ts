import { everyItem } from '../../../client/pages.js';
import type { OperationBody } from '../../../contract/schemas/index.js';
import { type Adapter, unlessMissing } from './adapter.js';
import type { Stored, WebhookContent } from './content.js';

type Webhook = OperationBody<'webhooks.get'>;

function toStored({ id, name, url, events, notify_email, ...times }: Webhook): Stored<'webhook'> {
  const content = { name, url, events, notify_email: notify_email ?? null };
  const { created_at = '', created_by, modified_at } = times;
  return {
    kind: 'webhook',
    id,
    content,
    createdAt: created_at,
    createdBy: created_by,
    modifiedAt: modified_at,
  };
}

const toBody = ({ name, url, events, notify_email }: WebhookContent) => ({
  name,
  url,
  events,
  ...(notify_email !== null && { notify_email }),
});

export const webhookAdapter: Adapter<'webhook'> = {
  operations: {
    list: 'webhooks.list',
    create: 'webhooks.create',
    update: 'webhooks.replace',
    remove: 'webhooks.delete',
  },
  async *list(client, name) {
    const webhooks = everyItem<Webhook>((page, size) =>
      client.call('webhooks.list', { query: { page, size } }),
    );
    for await (const webhook of webhooks)
      if (name === undefined || webhook.name === name) yield toStored(webhook);
  },
  async get(client, id) {
    const found = await unlessMissing(client.call('webhooks.get', { path: { id } }));
    return found && toStored(found);
  },
  create: async (client, content) =>
    toStored(await client.call('webhooks.create', { body: toBody(content) })),
  async update(client, id, content) {
    await client.call('webhooks.replace', { path: { id }, body: toBody(content) });
  },
  async remove(client, id) {
    await unlessMissing(client.call('webhooks.delete', { path: { id } }));
  },
  fields: ({ name, url, events, notify_email }) => [
    { name: 'name', value: name },
    { name: 'url', value: url },
    { name: 'notify_email', value: notify_email },
    ...[...events]
      .sort()
      .map((event) => ({ name: `events.${event}`, value: true, show: 'presence' as const })),
  ],
  normalize: (content) => content,
  application: () => undefined,
  weakenings: () => [],
};
