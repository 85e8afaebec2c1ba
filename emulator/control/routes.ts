import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  CONTROL_IDS,
  type ControlEndpoint,
  controlEndpoint,
  TENANT_SCOPE,
} from '../../src/contract/control/endpoints.js';
import type { HandleRequest } from './handle-request.js';
import type { HandledId } from './handler-types.js';

const HANDLED_IDS = CONTROL_IDS.filter((id): id is HandledId => id !== 'dashboard');

/**
 * Registers the endpoints of the table that `select` accepts. An endpoint that can be about one tenant has a second path with the
 * same handler.
 */
export function registerEndpoints(
  app: FastifyInstance,
  handle: HandleRequest,
  select: (endpoint: ControlEndpoint) => boolean,
): void {
  for (const id of HANDLED_IDS) {
    const endpoint = controlEndpoint(id);
    if (!select(endpoint)) continue;
    registerEndpoint(app, id, endpoint.path, handle);
    if (endpoint.perTenant) registerEndpoint(app, id, TENANT_SCOPE + endpoint.path, handle);
  }
}

function registerEndpoint(app: FastifyInstance, id: HandledId, path: string, handle: HandleRequest): void {
  const { method, success, body, bodyLimit, contentType } = controlEndpoint(id);
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    config: { takesBody: body !== undefined },
    ...(bodyLimit !== undefined && { bodyLimit }),
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const result = await handle(id, request, reply);
      // The handler sends events itself, as they happen.
      if (contentType === 'text/event-stream') return reply;
      if (contentType !== undefined) reply.type(contentType);
      return reply.code(success).send(result);
    },
  });
}
