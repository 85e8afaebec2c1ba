import type { WebhookEvent } from '../../../contract/control/deliveries.js';
import { isObject } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import { resolveId } from '../../lib/lookup.js';
import { cellText } from '../../output/table.js';
import { callControl } from '../shared/running-emulator.js';

export async function pingWebhook(
  { webhook }: { webhook: string | undefined },
  { client, output }: Context,
): Promise<void> {
  if (webhook === undefined) {
    await client.call('ping');
    return output.notice('The service answers, and the key is valid.');
  }
  const id = await resolveId(client, 'webhook', webhook);
  await output.result(await client.call('webhooks.ping', { path: { id } }), { redaction: 'plain' });
}

export async function listEventTypes(_options: object, { client, output }: Context): Promise<void> {
  const types = await client.call('webhooks.eventTypes');
  await output.list(
    types.map((type) => ({ type })),
    { redaction: 'plain', columns: [{ title: 'TYPE', field: 'type' }] },
  );
}

/** Columns of the longest type, `application.created`. */
const TYPE_WIDTH = 19;
/** Columns to which the id of an entity may be cut. */
const ENTITY_WIDTH = 18;

export async function listEvents(_options: object, context: Context): Promise<void> {
  const { events } = await callControl(context, 'webhookEvents.list');
  await context.output.list(events, {
    redaction: 'plain',
    columns: [
      { title: 'ID', field: 'id', format: 'id', importance: 4 },
      { title: 'TYPE', field: 'type', min: TYPE_WIDTH, importance: 3 },
      { title: 'ENTITY', field: 'data', show: showEntity, min: ENTITY_WIDTH, importance: 2 },
      { title: 'TIME', field: 'timestamp', format: 'time', importance: 1 },
    ],
    empty: 'No events. They are kept while a webhook subscribes to them.',
  });
}

/** Formats what an event is about: its name, or the id of what has none. */
function showEntity(data: unknown): string {
  const [entity] = Object.entries(data as WebhookEvent['data']).flatMap(([name, value]) =>
    name === 'actor' || !isObject(value) ? [] : [value],
  );
  return cellText(entity?.name ?? entity?.id);
}

interface ResendOptions {
  id: string[];
  times?: number | undefined;
  shuffle?: boolean | undefined;
}

export async function resendEvents(
  { id: ids, times, shuffle }: ResendOptions,
  context: Context,
): Promise<void> {
  const body = { ids: ids.length > 0 ? ids : undefined, times, shuffle };
  const result = await callControl(context, 'webhookEvents.resend', { body });
  await context.output.result(result, { redaction: 'plain' });
}
