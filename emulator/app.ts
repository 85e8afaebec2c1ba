import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { LIMITS } from '../src/contract/limits.js';
import { openApiDocument } from '../src/contract/openapi.js';
import type { OperationId } from '../src/contract/operations.js';
import type { Control } from './control/control.js';
import { controlPlugin } from './control/plugin.js';
import { bodyTooLarge, readBodies } from './http/body-parser.js';
import { answerClientError } from './http/connections/client-error.js';
import { drain } from './http/connections/drain-body.js';
import { drainOnClose } from './http/connections/drain-on-close.js';
import { answerPreflight, isPreflight } from './http/cors.js';
import { createHostGuard } from './http/host-guard.js';
import type { OriginPolicy } from './http/origin-policy.js';
import { createAdmit, createGate } from './http/pipeline.js';
import { sendProblem } from './http/reply.js';
import { createRequestLog } from './http/request-log.js';
import { servicePlugin } from './http/service-plugin.js';
import type { OperationRunner } from './operations/execute.js';
import { toProblem } from './problems/to-problem.js';

/** Longer than any URL that the HTTP parser lets through, so that a long id is an unknown id. */
const MAX_PARAM_LENGTH = 65_536;

/** The contract validates, in zod; the framework's own compilers of schemas would only be loaded and never used. */
const NO_COMPILERS = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

/** The HTTP side of the emulator; does not listen yet. */
export function createApp(
  control: Control,
  steps: Map<OperationId, OperationRunner>,
  policy: OriginPolicy,
): FastifyInstance {
  const { context } = control;
  const { headers, logger } = context;
  const guard = createHostGuard(headers, policy);
  const admit = createAdmit(control);
  const observe = createRequestLog(context);
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(reply, toProblem(error, request.id, logger), request.id);

  const app = Fastify({
    bodyLimit: LIMITS.bodyBytes,
    requestIdHeader: headers.traceId.toLowerCase(),
    genReqId: context.ids.uuid,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    schemaController: NO_COMPILERS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: answerClientError(headers.traceId),
    // A path that cannot be decoded: no hook runs for it, so that the checks before it stand here again.
    frameworkErrors(error, incoming, outgoing) {
      const [request, reply] = [incoming as FastifyRequest, outgoing as FastifyReply];
      fail(refusal(() => [guard(request, reply), admit(request)]) ?? error, request, reply);
      observe(request, reply);
    },
  });
  drainOnClose(app.server);
  // An expectation that nobody knows may be passed over (RFC 9110, section 10.1.1); Node.js would answer with no body.
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange));
  app.decorateRequest('call', null);
  app.decorateRequest('operation', undefined);
  app.decorateRequest('startedAt', 0);
  const failRead = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if ((error as FastifyError).code !== 'FST_ERR_CTP_BODY_TOO_LARGE') return fail(error, request, reply);
    await drain(request.raw);
    return fail(bodyTooLarge(request.routeOptions.bodyLimit), request, reply);
  };
  app.setErrorHandler(failRead);
  readBodies(app);
  app.addHook('onRequest', (request, reply, done) => {
    guard(request, reply);
    if (isPreflight(request)) answerPreflight(reply, headers);
    else done();
  });
  app.register(servicePlugin({ steps, context, gate: createGate(control, admit), observe, fail: failRead }));
  app.register(controlPlugin(control), { prefix: '/_emulator' });
  app.get('/openapi.json', () => openApiDocument({ prefix: context.options.headerPrefix }));
  return app;
}

/** What a check throws; undefined when it lets pass. */
function refusal(check: () => unknown): unknown {
  try {
    check();
  } catch (error) {
    return error;
  }
  return undefined;
}
