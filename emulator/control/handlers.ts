import { evaluateSample } from '../dashboard/expression-sample.js';
import { findMaskedTokens } from '../dashboard/masked-tokens.js';
import { overviewOf } from '../dashboard/overview.js';
import { problem } from '../problems/problem.js';
import { accessHandlers } from './access-handlers.js';
import { clockHandlers } from './clock-handlers.js';
import type { Control } from './control.js';
import { deliveryHandlers } from './delivery-handlers.js';
import type { EventStreams } from './event-stream.js';
import { faultHandlers } from './fault-handlers.js';
import type { ControlHandlers } from './handler.js';
import { originHandlers } from './origin-handlers.js';
import { probeHandlers } from './probe-handlers.js';
import { reset } from './reset.js';
import { snapshotHandlers } from './snapshot-handlers.js';
import { statsHandlers } from './stats-handlers.js';
import { tenantHandlers } from './tenant-handlers.js';

/** Creates the handlers of all control endpoints. */
export function createHandlers(control: Control, streams: EventStreams): ControlHandlers {
  const { context } = control;
  return {
    ...accessHandlers(control),
    ...clockHandlers(control),
    ...faultHandlers(control),
    ...snapshotHandlers(control),
    ...deliveryHandlers(control),
    ...originHandlers(control),
    ...statsHandlers(control),
    ...tenantHandlers(control),
    ...probeHandlers(control),
    async reset({ tenant }) {
      await reset(control, tenant);
    },
    'expressions.evaluate': async ({ body }) => ({ result: await evaluateSample(body, context) }),
    'tenants.tokens': ({ path, query }) => findMaskedTokens(path.id, query, context),
    redact({ body }) {
      if (!context.redaction)
        throw problem('notFound', 'This emulator does not remember the data of tokens.');
      return { text: context.redaction.redact(body.text) };
    },
    overview: ({ query }) => overviewOf(query.tenant, context),
    'requests.list': ({ tenant }) => ({ requests: context.journal.list(tenant) }),
    'requests.verify': ({ tenant, body }) => context.journal.verify(body, tenant),
    'requests.unexpected': ({ tenant }) => ({ requests: context.journal.unexpected(tenant) }),
    'webhookEvents.list': ({ tenant }) => ({ events: [...context.webhookEvents.recent(tenant)] }),
    async 'webhookEvents.resend'({ tenant, body: { ids, times, shuffle } }) {
      const known = new Set(context.webhookEvents.recent(tenant).map(({ id }) => id));
      if (!ids?.every((id) => known.has(id)) && ids !== undefined)
        throw problem('notFound', 'No recent event has this ID.');
      return { deliveries: await context.webhookEvents.resend(ids, times, shuffle, tenant) };
    },
    'traces.get'({ tenant, path }) {
      const traces = context.traces.find(path.traceId, tenant);
      if (traces.length === 0) throw problem('notFound', 'No recent invocation has this trace ID.');
      return { traces };
    },
    events({ tenant, query }, reply) {
      streams.open(reply, query.recent, tenant);
    },
  };
}
