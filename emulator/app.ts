import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LIMITS } from '../src/contract/limits.js';
import type { OperationId } from '../src/contract/operations.js';
import type { Context } from './context.js';
import { readBodies } from './http/body.js';
import { createAuthenticator } from './http/caller.js';
import { answerClientError } from './http/client-error.js';
import { allowOrigin, answerPreflight, isPreflight } from './http/cors.js';
import { asProblem } from './http/errors.js';
import { createOriginGuard, type OriginPolicy } from './http/origin.js';
import { problem } from './http/problem.js';
import { unrouted } from './http/routes.js';
import { sendProblem } from './http/send.js';
import type { Steps } from './perform.js';
import { registerOperations } from './register.js';

/** Longer than any URL that the HTTP parser lets through, so that a long id is an unknown id. */
const MAX_PARAM_LENGTH = 65_536;

/** The HTTP side of the emulator; does not listen yet. */
export function createApp(
  context: Context,
  steps: Map<OperationId, Steps>,
  policy: OriginPolicy,
): FastifyInstance {
  const { headers, logger } = context;
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(reply, asProblem(error, request.id, logger), request.id);

  const app = Fastify({
    bodyLimit: LIMITS.bodyBytes,
    requestIdHeader: headers.traceId.toLowerCase(),
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: answerClientError(headers.traceId),
    // A path that cannot be decoded: no hook runs for it, so that the checks before it stand here again.
    frameworkErrors(error, request, reply) {
      try {
        guard(request as FastifyRequest, reply as FastifyReply);
        authenticate(request.headers);
        fail(error, request as FastifyRequest, reply as FastifyReply);
      } catch (refusal) {
        fail(refusal, request as FastifyRequest, reply as FastifyReply);
      }
    },
  });
  const verdict = createOriginGuard(policy);
  const authenticate = createAuthenticator(headers.apiKey, context.directory);

  /** @throws ProblemError 403 before anything else has happened */
  function guard(request: FastifyRequest, reply: FastifyReply): void {
    reply.header(headers.traceId, request.id).header('cache-control', 'no-store');
    const origin = verdict(request.headers);
    if (origin === 'foreign') {
      throw problem(
        'foreignOrigin',
        'Requests from this Host or Origin are not accepted; see --allow-origin.',
      );
    }
    if (origin === 'allowed') allowOrigin(request, reply, headers);
  }

  app.decorateRequest('call', null);
  app.setErrorHandler(fail);
  readBodies(app);
  app.addHook('onRequest', (request, reply, done) => {
    guard(request, reply);
    if (isPreflight(request) && request.headers.origin !== undefined) answerPreflight(reply, headers);
    else done();
  });
  app.register(async (service) => {
    service.addHook('onRequest', (request, _reply, done) => {
      const caller = authenticate(request.headers);
      const actor = { id: caller.application.id, type: 'application' } as const;
      request.call = { ...caller, actor, traceId: request.id, depth: 0 };
      done();
    });
    service.setNotFoundHandler((request) => {
      throw unrouted(request.url);
    });
    registerOperations(service, steps, context);
  });
  return app;
}
