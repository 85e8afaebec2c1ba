import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { ControlEndpoint } from '../../src/contract/control/endpoint-row.js';
import { CONTROL_IDS, controlEndpoint, TENANT_SCOPE } from '../../src/contract/control/endpoints.js';
import { type ControlRequest, noParameters, schemasOf } from '../../src/contract/control/schemas.js';
import { fieldErrors } from '../../src/contract/validation.js';
import { validationProblem } from '../problems/problem.js';
import type { ControlHandlers, HandledId } from './handler-types.js';

const HANDLED_IDS = CONTROL_IDS.filter((id): id is HandledId => id !== 'dashboard');

/**
 * Registers the endpoints of the table that `select` accepts. An endpoint that can be about one tenant has a second path with the
 * same handler.
 */
export function registerEndpoints(
  app: FastifyInstance,
  handlers: ControlHandlers,
  select: (endpoint: ControlEndpoint) => boolean,
): void {
  for (const id of HANDLED_IDS) {
    const endpoint = controlEndpoint(id);
    if (!select(endpoint)) continue;
    registerEndpoint(app, id, endpoint.path, handlers);
    if (endpoint.perTenant) registerEndpoint(app, id, TENANT_SCOPE + endpoint.path, handlers);
  }
}

function registerEndpoint<Id extends HandledId>(
  app: FastifyInstance,
  id: Id,
  path: string,
  handlers: ControlHandlers,
): void {
  const { method, success, body, bodyLimit, contentType } = controlEndpoint(id);
  const handle = handlers[id];
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    config: { takesBody: body !== undefined },
    ...(bodyLimit !== undefined && { bodyLimit }),
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const result = await handle(checkedRequest(id, request), reply);
      // The handler sends events itself, as they happen.
      if (contentType === 'text/event-stream') return reply;
      if (contentType !== undefined) reply.type(contentType);
      return reply.code(success).send(result);
    },
  });
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
