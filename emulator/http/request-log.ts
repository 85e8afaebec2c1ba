import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../operations/context.js';
import type { RequestEvent } from '../services/events.js';
import { pathOf } from './request-path.js';

/** Told of a request whose answer is on its way. */
export type LogRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/** Tells the watchers of each request that was answered. */
export function createRequestLog({ events, clock }: Pick<Context, 'events' | 'clock'>): LogRequest {
  return (request, reply) => {
    const { call, operation } = request;
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
    }
    events.emit(event);
  };
}
