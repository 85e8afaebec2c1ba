import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { type ControlRequest, noParameters, schemasOf } from '../../src/contract/control/schemas.js';
import { fieldErrors } from '../../src/contract/validation.js';
import { evaluateSample } from '../dashboard/expression-sample.js';
import { findMaskedTokens, overviewOf } from '../dashboard/overview.js';
import { explainAccess } from '../operations/explain-access.js';
import { problem, validationProblem } from '../problems/problem.js';
import { showRequest, unexpectedRequests, verifyRequests } from '../services/request-record/verification.js';
import { pendingDeliveries } from '../services/webhooks/pending-deliveries.js';
import { clockHandlers } from './clock-handlers.js';
import { type Control, emitChange, waitForDeliveries } from './control.js';
import { reset, snapshotHandlers, tenantHandlers } from './data-handlers.js';
import type { EventStreams } from './event-stream.js';
import type { ControlHandlers, HandledId } from './handler-types.js';
import { probeHandlers, statsHandlers } from './stats-handlers.js';

/** Creates the handlers of all control endpoints. */
function createHandlers(control: Control, streams: EventStreams): ControlHandlers {
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

/** Handles a request of an endpoint. @returns the body of success @throws ProblemError */
export type HandleRequest = (id: HandledId, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Creates the function that validates requests and passes them to the handlers of their endpoints. */
export function createHandleRequest(control: Control, streams: EventStreams): HandleRequest {
  const handlers = createHandlers(control, streams);
  return async (id, request, reply) => handlers[id](checkedRequest(id, request) as never, reply);
}

/** Validates a request by the schemas of its endpoint. @throws ProblemError 400 */
function checkedRequest<Id extends HandledId>(id: Id, { params, query, body }: FastifyRequest) {
  const schemas = schemasOf(id);
  const { tenantId, ...path } = params as Record<string, string>;
  return {
    tenant: tenantId,
    path,
    query: checked(schemas.query ?? noParameters, query, ['query']),
    body: schemas.body && checked(schemas.body, body, []),
  } as ControlRequest<Id>;
}

function checked(schema: z.ZodType, value: unknown, root: string[]): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw validationProblem(fieldErrors(result.error, root, schema));
  return result.data;
}
