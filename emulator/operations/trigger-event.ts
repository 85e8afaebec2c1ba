import type { WebhookEvent } from '../../src/contract/control/deliveries.js';
import type { ControlBody, ControlRequest } from '../../src/contract/control/schemas.js';
import { type EventType, eventObject } from '../../src/contract/event-types.js';
import type { Json } from '../expressions/index.js';
import { problem } from '../problems/problem.js';
import type { Context } from './context.js';
import { mergePatch } from './json-body.js';

/** Sends an event that nothing has caused, as any other. @throws ProblemError 404 when no webhook would get it */
export async function triggerEvent(
  { type, data, webhook }: ControlRequest<'webhookEvents.trigger'>['body'],
  context: Context,
  tenant: string | undefined,
): Promise<ControlBody<'webhookEvents.trigger'>> {
  const tenantId = tenant ?? context.seeded.credentials.list()[0]?.tenant_id;
  if (tenantId === undefined) throw problem('notFound', 'The emulator has no tenant.');
  const sample = sampleEvent(type, tenantId, context);
  const event = { ...sample, data: mergePatch(sample.data as Json, data as Json) as WebhookEvent['data'] };
  const deliveries = await context.webhookEvents.trigger(event, webhook);
  if (deliveries > 0) return { event, deliveries };
  throw problem(
    'notFound',
    webhook === undefined
      ? `No webhook of the tenant subscribes to ${type}; name the one that gets it all the same.`
      : `The tenant has no webhook with this ID or name: ${webhook}.`,
  );
}

function sampleEvent(type: EventType, tenantId: string, { clocks, ids }: Context): WebhookEvent {
  const timestamp = clocks.of(tenantId).timestamp();
  const verb = type.slice(type.lastIndexOf('.') + 1);
  const actor = verb === 'expired' ? { type: 'system' } : { type: 'application', id: ids.uuid() };
  const object = eventObject(type);
  const id = object === 'tenant' ? tenantId : ids.uuid();
  const isGone = verb === 'deleted' || type === 'token.expired' || type === 'token-intent.expired';
  const created = { created_by: actor.id, created_at: timestamp };
  const modified = verb === 'updated' && { modified_by: actor.id, modified_at: timestamp };
  const content = isGone
    ? {}
    : { ...(SAMPLES[type] ?? SAMPLES[object])?.(verb, ids), ...created, ...modified };
  const data = { [object]: { id, ...content }, actor };
  return { id: ids.uuid(), type, timestamp, tenant_id: tenantId, data };
}

/** What events hold of an object besides its id and dates, by its name or their type. The values are made up. */
const SAMPLES: Record<string, (verb: string, ids: Context['ids']) => object> = {
  token: (verb) => ({
    type: 'card',
    containers: ['/pci/high/'],
    ...(verb === 'expired' && { property_name: 'cvc' }),
  }),
  token_intent: () => ({ type: 'card' }),
  reactor: () => ({ name: 'sample' }),
  application: () => ({ name: 'sample', type: 'private', permissions: ['token:read'] }),
  proxy: () => ({ name: 'sample', require_auth: true }),
  tenant: () => ({ name: 'sample', settings: {} }),
  session: () => ({ permissions: ['token-intent:create'] }),
  network_token: (_verb, ids) => ({ status: 'active', token_id: ids.uuid() }),
  job: (verb) => ({ state: verb }),
  '3ds.session.authenticated': (_verb, ids) => ({
    type: 'customer',
    authentication_status: 'successful',
    token_id: ids.uuid(),
  }),
};
