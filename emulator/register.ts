import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takesIdempotencyKey } from '../src/contract/operation.js';
import { OPERATION_IDS, type OperationId, operationRow } from '../src/contract/operations.js';
import type { Context } from './context.js';
import type { Call } from './handler.js';
import { checkContentType } from './http/content-type.js';
import { pathOf } from './http/path.js';
import { checkPermission } from './http/permission.js';
import { sendAnswer } from './http/send.js';
import type { Steps } from './perform.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set once the key is checked. */
    call: Call | null;
  }
  interface FastifyContextConfig {
    operation?: OperationId;
    takesBody?: boolean;
  }
}

/** `/tokens/{id}` as the framework writes it. */
function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** The call of a request whose key was checked. */
export function callOf(request: FastifyRequest): Call {
  if (!request.call) throw new Error('The key was not checked before the operation.');
  return request.call;
}

/**
 * Serves every operation of the table. Before these routes a request has passed: origin, rate limit, key. Here follow,
 * in the order of decisions.md: permission, content type, (the framework:) size, JSON, then the steps of the operation.
 */
export function registerOperations(
  app: FastifyInstance,
  steps: Map<OperationId, Steps>,
  context: Context,
): void {
  for (const id of OPERATION_IDS) {
    const run = steps.get(id);
    if (run) registerOperation(app, id, run, context);
  }
}

function registerOperation(app: FastifyInstance, id: OperationId, run: Steps, context: Context): void {
  const row = operationRow(id);
  const repeatable = takesIdempotencyKey(row);
  const idempotencyHeader = context.headers.idempotencyKey.toLowerCase();
  app.route({
    method: row.method,
    url: routePath(row.path),
    config: { operation: id, takesBody: row.body !== undefined },
    onRequest(request, _reply, done) {
      checkPermission(row, callOf(request));
      checkContentType(row, request.headers);
      done();
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { params, query, body } = request;
      const input = { path: params as Record<string, string>, query, body };
      const attempt = (call: Call) => run(input, call, context);
      const key = repeatable ? request.headers[idempotencyHeader] : undefined;
      const answer =
        typeof key === 'string' && key !== ''
          ? await context.idempotency.run({ row, path: pathOf(request.url), key }, callOf(request), attempt)
          : await attempt(callOf(request));
      return sendAnswer(reply, answer);
    },
  });
}
