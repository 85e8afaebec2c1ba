import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { pathOf } from './path.js';

/** Tells the watchers of each request that was answered. */
export function requestEvents({ events, clock }: Pick<Context, 'events' | 'clock'>) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { call } = request;
    const { operation } = request.routeOptions.config;
    events.emit({
      kind: 'request',
      time: new Date(clock.now()).toISOString(),
      trace_id: request.id,
      method: request.method,
      path: pathOf(request.url),
      ...(operation && { operation }),
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(call && { tenant_id: call.tenant.id, application_id: call.application.id }),
    });
    done();
  };
}
