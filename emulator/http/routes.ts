import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takesIdempotencyKey } from '../../src/contract/operation.js';
import { type OperationId, operationRow } from '../../src/contract/operations.js';
import { checkPermission } from '../operations/authorize.js';
import type { Context } from '../operations/context.js';
import type { OperationRunner } from '../operations/execute.js';
import type { Call } from '../operations/handler.js';
import { coalesceResponses } from './coalesce-responses.js';
import { checkContentType } from './content-type.js';
import type { Gate } from './pipeline.js';
import { sendResponse } from './reply.js';
import type { LogRequest } from './request-log.js';
import { pathOf } from './request-path.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set once the key is checked. */
    call: Call | null;
    operation: OperationId | undefined;
    /** When it came, in milliseconds of the machine's monotonic clock. */
    startedAt: number;
  }
  interface FastifyContextConfig {
    /** The body is read as JSON; otherwise it is ignored. */
    takesBody?: boolean;
  }
}

/** `/tokens/{id}` as the framework writes it. */
function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** The call of a request whose key was checked. */
function callOf(request: FastifyRequest): Call {
  if (!request.call) throw new Error('The key was not checked before the operation.');
  return request.call;
}

/** A body that nobody reads may be of any type; the framework would refuse what is no media type at all. */
function ignoreBody(headers: IncomingHttpHeaders): void {
  if (headers['content-type'] !== undefined) delete headers['content-type'];
}

/** What all operations need. */
export interface Registration {
  steps: Map<OperationId, OperationRunner>;
  context: Context;
  gate: Gate;
  observe: LogRequest;
}

/**
 * Serves every operation of the table, with its checks in the order of decisions.md: (before any route:) origin; the
 * gate with rate limit and key; permission, content type; (the framework:) size, JSON; the steps of the operation.
 */
export function registerOperations(app: FastifyInstance, registration: Registration): void {
  for (const [id, run] of registration.steps) registerOperation(app, id, run, registration);
}

function registerOperation(
  app: FastifyInstance,
  id: OperationId,
  run: OperationRunner,
  { context, gate, observe }: Registration,
): void {
  const row = operationRow(id);
  const repeatable = takesIdempotencyKey(row);
  const idempotencyHeader = context.headers.idempotencyKey.toLowerCase();
  app.route({
    method: row.method,
    url: routePath(row.path),
    config: { takesBody: row.body !== undefined },
    onRequest(request, reply, done) {
      request.operation = id;
      gate(request, reply, (error) => {
        if (error) return done(error);
        checkPermission(row, callOf(request));
        checkContentType(row, request.headers);
        if (row.body === undefined) ignoreBody(request.headers);
        done();
      });
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { params, query, body } = request;
      const input = { path: params as Record<string, string>, query, body };
      const call = callOf(request);
      const key = repeatable ? request.headers[idempotencyHeader] : undefined;
      const idempotent = {
        tenantId: call.tenant.id,
        applicationId: call.application.id,
        method: row.method,
        path: pathOf(request.url),
        holdsSecrets: row.holdsSecrets ?? false,
      };
      const answer =
        typeof key === 'string' && key !== ''
          ? await context.idempotency.run({ ...idempotent, key }, (tokenIds) =>
              run(input, { ...call, tokenIds }, context),
            )
          : await run(input, call, context);
      await coalesceResponses();
      sendResponse(reply, answer);
      observe(request, reply);
      return reply;
    },
  });
}
