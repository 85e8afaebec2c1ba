import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { CONTROL_IDS, controlEndpoint } from '../../src/contract/control/endpoints.js';
import { type ControlRequest, schemasOf } from '../../src/contract/control/schemas.js';
import { fieldErrors } from '../../src/contract/validation.js';
import { validationProblem } from '../problems/problem.js';
import type { ControlHandlers, HandledId } from './handler.js';

const HANDLED_IDS = CONTROL_IDS.filter((id): id is HandledId => id !== 'dashboard');

/** Registers the open endpoints of the table, or those that need the control token. */
export function registerEndpoints(
  app: FastifyInstance,
  handlers: ControlHandlers,
  { open }: { open: boolean },
): void {
  for (const id of HANDLED_IDS)
    if ((controlEndpoint(id).open ?? false) === open) registerEndpoint(app, id, handlers);
}

function registerEndpoint<Id extends HandledId>(
  app: FastifyInstance,
  id: Id,
  handlers: ControlHandlers,
): void {
  const { method, path, success, body, bodyLimit, contentType } = controlEndpoint(id);
  const handle = handlers[id];
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    config: { takesBody: body !== undefined },
    ...(bodyLimit !== undefined && { bodyLimit }),
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const result = await handle(checkedRequest(id, request), reply);
      return contentType === undefined ? reply.code(success).send(result) : reply;
    },
  });
}

/** Validates a request by the schemas of its endpoint. @throws ProblemError 400 */
function checkedRequest<Id extends HandledId>(id: Id, { params, query, body }: FastifyRequest) {
  const schemas = schemasOf(id);
  return {
    path: params,
    query: schemas.query && checked(schemas.query, query, ['query']),
    body: schemas.body && checked(schemas.body, body, []),
  } as ControlRequest<Id>;
}

function checked(schema: z.ZodType, value: unknown, root: string[]): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw validationProblem(fieldErrors(result.error, root));
  return result.data;
}
