import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { noParameters, schemasOf } from '../../src/contract/control/schemas.js';
import { fieldErrors } from '../../src/contract/validation.js';
import { findMaskedTokens, overviewOf } from '../dashboard/queries.js';
import { explainAccess } from '../operations/explain-access.js';
import { triggerEvent } from '../operations/trigger-event.js';
import { validationProblem } from '../problems/problem.js';
import { showRequest, unexpectedRequests, verifyRequests } from '../services/request-record/verification.js';
import { pendingDeliveries } from '../services/webhooks/pending-deliveries.js';
import { clockHandlers } from './clock-handlers.js';
import {
  type Control,
  type ControlHandlers,
  emitChange,
  type HandledId,
  required,
  waitForDeliveries,
} from './control.js';
import { dataHandlers } from './data-handlers.js';
import { statsHandlers } from './stats-handlers.js';

const handlers: ControlHandlers = {
  ...clockHandlers,
  ...dataHandlers,
  ...statsHandlers,
  'access.explain': async ({ tenant, path }, { context }) =>
    required(await explainAccess(path.traceId, context, tenant), 'No recent request has this trace ID.'),
  'deliveries.list': async ({ tenant }, { context }) => ({
    deliveries: await pendingDeliveries(context, tenant),
  }),
  'deliveries.wait': async ({ tenant, body }, { context }) => ({
    deliveries: await waitForDeliveries(() => pendingDeliveries(context, tenant), body.wait_ms),
  }),
  'deliveries.resend': async ({ tenant, path }, { context }) =>
    required(await context.webhookQueue.resend(path.id, tenant), 'No recent callback has this request ID.'),
  events({ tenant, query }, { streams }, reply) {
    streams.open(reply, query.recent, tenant, query.background !== undefined);
  },
  'faults.list': ({ tenant }, { faults }) => ({ faults: [...faults.list(tenant)] }),
  async 'faults.add'({ tenant, body }, control) {
    const fault = await control.faults.add(body, tenant);
    emitChange(control, 'faults', tenant);
    return fault;
  },
  async 'faults.clear'({ tenant }, control) {
    await control.faults.clear(tenant);
    emitChange(control, 'faults', tenant);
  },
  async 'faults.remove'({ tenant, path }, control) {
    required(await control.faults.remove(path.id, tenant), 'There is no fault with this ID.');
    emitChange(control, 'faults', tenant);
  },
  'origins.list': (_request, { origins }) => ({ origins: origins.list() }),
  async 'origins.add'({ body }, { origins }) {
    await origins.add(body.origin);
    return { origins: origins.list() };
  },
  async 'origins.remove'({ query }, { origins }) {
    required(await origins.remove(query.origin), 'This origin is not allowed.');
  },
  overview: ({ query }, { context }) => overviewOf(query.tenant, context),
  stop(_request, { onStop }, reply) {
    const stop = required(onStop, 'This emulator is stopped by the program that started it.');
    reply.raw.once('close', stop);
  },
  redact: ({ body }, { context }) => ({
    text: required(context.redaction, 'This emulator does not remember the data of tokens.').redact(
      body.text,
    ),
  }),
  'redirects.get': ({ tenant }, { context }) => ({ redirects: context.redirects.list(tenant) }),
  async 'redirects.set'({ tenant, body }, { context }) {
    await context.redirects.set(body.redirects, tenant);
    return body;
  },
  'outbound.list': ({ tenant }, { context }) => ({ calls: context.records.outbound(tenant) }),
  'requests.list'({ tenant, query: { trace_id, failed, background } }, { context }) {
    const found = context.records
      .requests(tenant, background !== undefined)
      .filter(({ event }) => trace_id === undefined || event.trace_id === trace_id)
      .filter(({ event }) => failed === undefined || event.status >= 400);
    return { requests: found.map(showRequest) };
  },
  'requests.verify': ({ tenant, body }, { context }) =>
    verifyRequests(context.records.requests(tenant), body),
  'requests.unexpected': ({ tenant }, { context }) => ({
    requests: unexpectedRequests(context.records.requests(tenant)),
  }),
  'leaks.find'({ tenant, body }, { context }) {
    const watch = required(context.leakWatch, 'This emulator does not watch for token data.');
    for (const [index, text] of body.texts.entries()) watch.observe(`text ${index + 1}`, text);
    return { leaks: watch.report(tenant) };
  },
  'requests.clear'({ tenant }, { context }) {
    context.records.clear(tenant);
  },
  'tenants.tokens': ({ path, query }, { context }) => findMaskedTokens(path.id, query, context),
  'traces.list': ({ tenant }, { context }) => ({ traces: context.records.invocations(undefined, tenant) }),
  'traces.get'({ tenant, path }, { context }) {
    const traces = context.records.invocations(path.traceId, tenant);
    return { traces: required(traces.length > 0 && traces, 'No recent invocation has this trace ID.') };
  },
  'webhookEvents.list': ({ tenant }, { context }) => ({ events: [...context.webhookEvents.recent(tenant)] }),
  'webhookEvents.trigger': ({ tenant, body }, { context }) => triggerEvent(body, context, tenant),
  async 'webhookEvents.resend'({ tenant, body: { ids, times, shuffle } }, { context: { webhookEvents } }) {
    const known = new Set(webhookEvents.recent(tenant).map(({ id }) => id));
    required(ids === undefined || ids.every((id) => known.has(id)), 'No recent event has this ID.');
    return { deliveries: await webhookEvents.resend(ids, times, shuffle, tenant) };
  },
};

/** Validates a request by the schemas of its endpoint and handles it. @returns the body of success @throws ProblemError */
export async function handleRequest(
  control: Control,
  id: HandledId,
  { params, query, body }: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const schemas = schemasOf(id);
  const { tenantId: tenant, ...path } = params as Record<string, string>;
  const checkedQuery = checked(schemas.query ?? noParameters, query, ['query']);
  const checkedBody = schemas.body && checked(schemas.body, body, []);
  return handlers[id]({ tenant, path, query: checkedQuery, body: checkedBody } as never, control, reply);
}

function checked(schema: z.ZodType, value: unknown, root: string[]): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw validationProblem(fieldErrors(result.error, root, schema));
  return result.data;
}
