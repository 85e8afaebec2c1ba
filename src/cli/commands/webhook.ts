import type { WebhookEvent } from '../../contract/control/deliveries.js';
import { EVENT_TYPES } from '../../contract/event-types.js';
import { isObject } from '../../contract/json.js';
import type { Context } from '../command.js';
import type { Options } from '../flags/flag.js';
import { parseJsonOrText, setAtPath } from '../lib/json.js';
import { resolveId } from '../lib/lookup.js';
import { cellText } from '../output/table.js';
import { oneOf } from './shared/flag-values.js';
import { parsePairs } from './shared/input.js';
import { callControl } from './shared/running-emulator.js';

export async function pingWebhook({ webhook }: { webhook: string | undefined }, { client, output }: Context) {
  if (webhook === undefined) {
    await client.call('ping');
    return output.notice('The service answers, and the key is valid.');
  }
  const id = await resolveId(client, 'webhook', webhook);
  await output.plain(await client.call('webhooks.ping', { path: { id } }));
}

export async function listEventTypes(_options: object, { client, output }: Context) {
  const types = await client.call('webhooks.eventTypes');
  await output.plainList(
    types.map((type) => ({ type })),
    { columns: [{ title: 'TYPE', field: 'type' }] },
  );
}

export async function printSigningKey(_options: object, { client, output }: Context) {
  await output.result(await client.call('webhooks.signingKey'), { redaction: 'plain' });
}

/** Columns of the longest type, `application.created`. */
const TYPE_WIDTH = 19;
const ENTITY_WIDTH = 18;

export async function listEvents(_options: object, context: Context) {
  const { events } = await callControl(context, 'webhookEvents.list');
  await context.output.plainList(events, {
    columns: [
      { title: 'ID', field: 'id', format: 'id', importance: 4 },
      { title: 'TYPE', field: 'type', min: TYPE_WIDTH, importance: 3 },
      { title: 'ENTITY', field: 'data', show: showEntity, min: ENTITY_WIDTH, importance: 2 },
      { title: 'TIME', field: 'timestamp', format: 'time', importance: 1 },
    ],
    empty: 'No events. Only events that a webhook subscribes to are kept.',
  });
}

/** Formats what an event is about: its name, or the id of what has none. */
function showEntity(data: unknown): string {
  const [entity] = Object.entries(data as WebhookEvent['data']).flatMap(([name, value]) =>
    name === 'actor' || !isObject(value) ? [] : [value],
  );
  return cellText(entity?.name ?? entity?.id);
}

type TriggerOptions = { type: string } & Options<'set', string[]> & Options<'webhook' | 'tenant'>;

export async function triggerEvent({ type, set = [], webhook, ...scope }: TriggerOptions, context: Context) {
  const { tenant = context.settings.env.TOKENCTL_TENANT_ID } = scope;
  const known = oneOf(EVENT_TYPES, type, 'The type') as (typeof EVENT_TYPES)[number];
  const data: Record<string, unknown> = {};
  for (const [path, text] of Object.entries(parsePairs(set, '--set')))
    setAtPath(data, path.replace(/^data\./, '').split('.'), parseJsonOrText(text, '--set'));
  const body = { type: known, data, webhook };
  await context.output.plain(await callControl(context, 'webhookEvents.trigger', { tenant, body }));
}

type ResendOptions = { id: string[] } & Options<'times', number> & Options<'shuffle', boolean>;

export async function resendEvents({ id: ids, times, shuffle }: ResendOptions, context: Context) {
  const body = { ids: ids.length > 0 ? ids : undefined, times, shuffle };
  const result = await callControl(context, 'webhookEvents.resend', { body });
  await context.output.plain(result);
  if (result.deliveries === 0)
    context.output.notice('No webhook subscribes to one of these events. See: tokenctl webhook list');
}
