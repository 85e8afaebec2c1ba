import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestEvent } from '../../src/contract/control/events.js';
import type { ProblemName } from '../../src/contract/problems.js';
import type { Clock } from '../lib/clock.js';
import { auditedFields } from '../services/audit-log.js';
import type { Events } from '../services/events.js';
import { pathOf } from './request-path.js';

/** Problems whose detail is logged: it names the missing permission, and never quotes the request. */
const REFUSALS: ReadonlySet<ProblemName> = new Set(['unauthenticated', 'forbidden']);

/** Logs a request whose response is being sent. */
export type LogRequest = (request: FastifyRequest, reply: FastifyReply) => void;

interface RequestLogServices {
  events: Pick<Events, 'emit'>;
  clock: Pick<Clock, 'timestamp'>;
}

/** Creates the access log: one event per request to the service. */
export function createRequestLog({ events, clock }: RequestLogServices): LogRequest {
  return (request, reply) => {
    const { call, operation, problem } = request;
    const event: RequestEvent = {
      kind: 'request',
      time: clock.timestamp(),
      trace_id: request.id,
      method: request.method,
      path: pathOf(request.url),
      status: reply.statusCode,
      duration_ms: Math.round((performance.now() - request.startedAt) * 10) / 10,
    };
    if (operation) event.operation = operation;
    if (call) {
      event.tenant_id = call.tenant.id;
      event.application_id = call.application.id;
      event.application_name = call.application.name;
      if (reply.statusCode < 400) Object.assign(event, auditedFields(call));
    }
    if (problem && REFUSALS.has(problem.problem)) event.error = problem.message;
    events.emit(event);
  };
}
