import { createPublicKey } from 'node:crypto';
import { EVENT_TYPES } from '../../src/contract/event-types.js';
import { LIMITS } from '../../src/contract/limits.js';
import { RESOURCES } from '../../src/contract/resources.js';
import { problem, validationProblem } from '../problems/problem.js';
import { signingKeyOf } from '../services/webhooks/signing-key.js';
import { withoutFailures } from '../services/webhooks/webhook-health.js';
import type { Handlers } from './context.js';
import { crudHandlers } from './resource/crud.js';
import type { ServedResource } from './resource/served-resource.js';

/** The pending deliveries of a deleted webhook are dropped when they are due. */
const webhook: ServedResource<'webhooks'> = {
  row: RESOURCES.webhook,
  derive: ({ disabled_at }) => ({ status: disabled_at === undefined ? 'enabled' : 'disabled' }),
  renew: withoutFailures,
  convert: { events: (events) => [...new Set(events as string[])] },
  async check(_body, current, { tenant }, { store }) {
    if (current) return;
    const { total } = await store.find('webhooks', { tenantId: tenant.id, limit: 0 });
    if (total >= LIMITS.webhooks)
      throw validationProblem({ body: [`a tenant may have at most ${LIMITS.webhooks} webhooks`] });
  },
  afterChange: (_record, { webhookEvents }) => webhookEvents.refresh(),
};

export const webhookHandlers = {
  ...crudHandlers(webhook),
  'webhooks.eventTypes': async () => ({ status: 200, body: [...EVENT_TYPES] }),
  async 'webhooks.signingKey'(_request, { tenant }, { store }) {
    const key = await signingKeyOf(tenant.id, store);
    if (key === undefined) throw problem('notFound', 'The tenant was deleted.');
    const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' });
    return { status: 200, body: { public_key_pem: String(pem) } };
  },
  'webhooks.ping': async ({ resource }, call, context) => ({
    status: 202,
    body: { event_id: await context.webhookEvents.ping(resource, call.actor) },
  }),
  ping: async () => ({ status: 200, body: {} }),
} satisfies Partial<Handlers>;
