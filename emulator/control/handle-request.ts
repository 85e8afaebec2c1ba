import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { type ControlRequest, noParameters, schemasOf } from '../../src/contract/control/schemas.js';
import { fieldErrors } from '../../src/contract/validation.js';
import { validationProblem } from '../problems/problem.js';
import type { Control } from './control.js';
import type { EventStreams } from './event-stream.js';
import type { HandledId } from './handler-types.js';
import { createHandlers } from './handlers.js';

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
