import { LIMITS } from '../../../src/contract/limits.js';
import type { OperationRequest, Webhook } from '../../../src/contract/schemas/index.js';
import { EVENT_TYPES } from '../../../src/contract/webhook-events.js';
import { validationProblem } from '../../problems/problem.js';
import type { Stored, WebhookRecord } from '../../store/records.js';
import type { Handler } from '../handler.js';
import { toOffsetLimit, toPage } from '../pagination.js';
import { assertSecureUrl } from '../secure-url.js';
import { insertRecord, removeRecord, updateRecord } from '../write-record.js';

type Content = OperationRequest<'webhooks.create'>['body'];

function toFields({ name, url, notify_email, events }: Content) {
  return { name, url, events: [...new Set(events)], ...(notify_email != null && { notify_email }) };
}

function serializeWebhook(record: WebhookRecord): Webhook {
  const { id, tenant_id, name, url, notify_email, events, ...authorship } = record;
  const { created_by, created_at, modified_by, modified_at } = authorship;
  return {
    id,
    tenant_id,
    status: 'enabled',
    name,
    url,
    ...(notify_email !== undefined && { notify_email }),
    events,
    ...(created_by !== undefined && { created_by }),
    created_at,
    ...(modified_by !== undefined && { modified_by }),
    ...(modified_at !== undefined && { modified_at }),
  };
}

const create: Handler<'webhooks.create'> = async ({ body }, call, context) => {
  await assertSecureUrl('url', body.url, context.options.network);
  const tenantId = call.tenant.id;
  const { total } = await context.store.find('webhooks', { tenantId, limit: 0 });
  if (total >= LIMITS.webhooks)
    throw validationProblem({ body: [`a tenant may have at most ${LIMITS.webhooks} webhooks`] });
  const record: WebhookRecord = {
    id: context.ids.uuid(),
    tenant_id: tenantId,
    ...toFields(body),
    created_by: call.application.id,
    created_at: context.clock.timestamp(),
  };
  await insertRecord('webhooks', record, call, context);
  await context.webhooks.refresh();
  return { status: 201, body: serializeWebhook(record) };
};

const list: Handler<'webhooks.list'> = async ({ query }, call, context) => {
  const { records, total } = await context.store.find('webhooks', {
    tenantId: call.tenant.id,
    ...toOffsetLimit(query),
  });
  return { status: 200, body: toPage(records.map(serializeWebhook), total, query) };
};

const eventTypes: Handler<'webhooks.eventTypes'> = async () => ({ status: 200, body: [...EVENT_TYPES] });

const get: Handler<'webhooks.get'> = async ({ resource }) => ({
  status: 200,
  body: serializeWebhook(resource),
});

const replace: Handler<'webhooks.replace'> = async ({ resource, body }, call, context) => {
  await assertSecureUrl('url', body.url, context.options.network);
  const change = ({ notify_email: _, ...rest }: Stored<WebhookRecord>) => ({ ...rest, ...toFields(body) });
  const record = await updateRecord('webhooks', resource, change, call, context);
  await context.webhooks.refresh();
  return { status: 200, body: serializeWebhook(record) };
};

/** Its pending deliveries are dropped when they are due. */
const deleteWebhook: Handler<'webhooks.delete'> = async ({ resource }, call, context) => {
  await removeRecord('webhooks', resource, call, context);
  await context.webhooks.refresh();
  return { status: 204, body: undefined };
};

const pingWebhook: Handler<'webhooks.ping'> = async ({ resource }, call, context) => ({
  status: 202,
  body: { event_id: await context.webhookEvents.ping(resource, call.actor) },
});

const ping: Handler<'ping'> = async () => ({ status: 200, body: {} });

export const webhookHandlers = {
  'webhooks.create': create,
  'webhooks.list': list,
  'webhooks.eventTypes': eventTypes,
  'webhooks.get': get,
  'webhooks.replace': replace,
  'webhooks.delete': deleteWebhook,
  'webhooks.ping': pingWebhook,
  ping,
};
