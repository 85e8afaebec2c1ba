import { evaluateSample } from '../dashboard/expression-sample.js';
import { findMaskedTokens, overviewOf } from '../dashboard/overview.js';
import { explainAccess } from '../operations/explain-access.js';
import { problem } from '../problems/problem.js';
import { showRequest, unexpectedRequests, verifyRequests } from '../services/request-record/verification.js';
import { pendingDeliveries } from '../services/webhooks/pending-deliveries.js';
import { clockHandlers } from './clock-handlers.js';
import { type Control, emitChange } from './control.js';
import type { EventStreams } from './event-stream.js';
import type { ControlHandlers } from './handler-types.js';
import { probeHandlers } from './probe-handlers.js';
import { reset } from './reset.js';
import { snapshotHandlers } from './snapshot-handlers.js';
import { statsHandlers } from './stats-handlers.js';
import { tenantHandlers } from './tenant-handlers.js';
import { waitForDeliveries } from './wait-for-deliveries.js';

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
    'requests.list': ({ tenant, query: { trace_id, failed } }) => {
      const found = context.records
        .requests(tenant)
        .filter(({ event }) => trace_id === undefined || event.trace_id === trace_id)
        .filter(({ event }) => failed === undefined || event.status >= 400);
      return { requests: found.map(showRequest) };
    },
    'requests.verify': ({ tenant, body }) => verifyRequests(context.records.requests(tenant), body),
    'requests.unexpected': ({ tenant }) => ({
      requests: unexpectedRequests(context.records.requests(tenant)),
    }),
    'webhookEvents.list': ({ tenant }) => ({ events: [...context.webhookEvents.recent(tenant)] }),
    async 'webhookEvents.resend'({ tenant, body: { ids, times, shuffle } }) {
      const known = new Set(context.webhookEvents.recent(tenant).map(({ id }) => id));
      if (!ids?.every((id) => known.has(id)) && ids !== undefined)
        throw problem('notFound', 'No recent event has this ID.');
      return { deliveries: await context.webhookEvents.resend(ids, times, shuffle, tenant) };
    },
    'traces.get'({ tenant, path }) {
      const traces = context.records.invocations(path.traceId, tenant);
      if (traces.length === 0) throw problem('notFound', 'No recent invocation has this trace ID.');
      return { traces };
    },
    events({ tenant, query }, reply) {
      streams.open(reply, query.recent, tenant);
    },
  };
}

function accessHandlers({ context }: Pick<Control, 'context'>): Pick<ControlHandlers, 'access.explain'> {
  return {
    async 'access.explain'({ tenant, path }) {
      const explanation = await explainAccess(path.traceId, context, tenant);
      if (!explanation) throw problem('notFound', 'No recent request has this trace ID.');
      return explanation;
    },
  };
}

type OriginHandlers = Pick<ControlHandlers, 'origins.list' | 'origins.add' | 'origins.remove'>;

function originHandlers({ origins }: Pick<Control, 'origins'>): OriginHandlers {
  const list = () => ({ origins: origins.list() });
  return {
    'origins.list': list,
    async 'origins.add'({ body }) {
      await origins.add(body.origin);
      return list();
    },
    async 'origins.remove'({ query }) {
      if (!(await origins.remove(query.origin))) throw problem('notFound', 'This origin is not allowed.');
    },
  };
}

type FaultHandlers = Pick<ControlHandlers, 'faults.list' | 'faults.add' | 'faults.clear' | 'faults.remove'>;

function faultHandlers(control: Pick<Control, 'faults' | 'context'>): FaultHandlers {
  const { faults } = control;
  return {
    'faults.list': ({ tenant }) => ({ faults: [...faults.list(tenant)] }),
    async 'faults.add'({ tenant, body }) {
      const fault = await faults.add(body, tenant);
      emitChange(control, 'faults', tenant);
      return fault;
    },
    async 'faults.clear'({ tenant }) {
      await faults.clear(tenant);
      emitChange(control, 'faults', tenant);
    },
    async 'faults.remove'({ tenant, path }) {
      if (!(await faults.remove(path.id, tenant)))
        throw problem('notFound', 'There is no fault with this ID.');
      emitChange(control, 'faults', tenant);
    },
  };
}

type DeliveryHandlers = Pick<ControlHandlers, 'deliveries.list' | 'deliveries.wait' | 'deliveries.resend'>;

function deliveryHandlers({ context }: Pick<Control, 'context'>): DeliveryHandlers {
  const { webhookQueue } = context;
  return {
    'deliveries.list': async ({ tenant }) => ({ deliveries: await pendingDeliveries(context, tenant) }),
    'deliveries.wait': async ({ tenant, body }) => ({
      deliveries: await waitForDeliveries(() => pendingDeliveries(context, tenant), body.wait_ms),
    }),
    async 'deliveries.resend'({ tenant, path }) {
      const delivery = await webhookQueue.resend(path.id, tenant);
      if (!delivery) throw problem('notFound', 'No recent callback has this request ID.');
      return delivery;
    },
  };
}
