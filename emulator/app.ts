import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { holdsCardNumber } from '../src/contract/card-numbers.js';
import { CONTROL_PREFIX } from '../src/contract/control/endpoints.js';
import { LIMITS } from '../src/contract/limits.js';
import type { OpenApiOptions } from '../src/contract/openapi/document.js';
import { isProxied } from '../src/contract/proxies.js';
import { elementsPlugin } from './elements/plugin.js';
import { drainOnClose } from './http/close.js';
import { answerClientError, createErrorHandler, type ErrorHandler } from './http/error-handler.js';
import { handleInTurn } from './http/in-turn.js';
import { SERVER_OPTIONS, type ServerFactory } from './http/listen.js';
import { createPipeline, type Pipeline, type PipelineServices } from './http/pipeline.js';
import { type ProxyOptions, proxyPlugin } from './http/proxy-plugin.js';
import { createRequestLog } from './http/request-log.js';
import { installPipeline, servicePlugin } from './http/routes.js';
import { runSteps, type Step } from './http/step.js';
import type { Ids } from './lib/ids.js';
import type { Logger } from './lib/logger.js';
import type { TenantClocks } from './lib/tenant-clocks.js';
import type { LeakWatch } from './services/leaks/leak-watch.js';
import type { RequestRecords } from './services/request-record/request-records.js';

/** Longer than any URL that the HTTP parser accepts, so that a long id is an unknown id. */
const MAX_PARAM_LENGTH = 65_536;

/** The contract validates with zod. Without this, Fastify would load its own schema compilers, which nothing uses. */
const NO_COMPILERS = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

/** The steps before the body of a path that has no route. Control endpoints take another token, which a route checks. */
function stepsBelow(url: string, { beforeBody, beforeProxy }: Pipeline): readonly Step[] {
  if (url.startsWith(`${CONTROL_PREFIX}/`)) return [];
  return isProxied(url) ? beforeProxy : beforeBody;
}

interface AppServices extends PipelineServices {
  ids: Pick<Ids, 'uuid'>;
  clocks: Pick<TenantClocks, 'global' | 'of'>;
  records: Pick<RequestRecords, 'begin'>;
  leakWatch: LeakWatch | undefined;
  logger: Logger;
  invokeProxy: ProxyOptions['invokeProxy'];
  httpsFactory: ServerFactory | undefined;
  openApi: OpenApiOptions;
}

/** Creates the HTTP server of the service; it does not listen yet. */
export function createApp(services: AppServices): FastifyInstance {
  const { headers, ids, logger, openApi, httpsFactory } = services;
  const pipeline = createPipeline(services);
  const sendError = createErrorHandler(logger);
  const logRequest = createRequestLog(services);
  const respondWithError: ErrorHandler = async (error, request, reply) => {
    await sendError(error, request, reply);
    logRequest(request, reply);
    return reply;
  };

  const options: FastifyServerOptions = {
    bodyLimit: LIMITS.bodyBytes,
    requestIdHeader: false,
    genReqId: createTraceIds(headers.traceId, ids.uuid),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    schemaController: NO_COMPILERS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true },
    clientErrorHandler: answerClientError(headers.traceId),
    // Fastify runs no hooks for a path that it cannot decode. The steps of its prefix run here before it is rejected.
    frameworkErrors(error, incoming, outgoing) {
      const [request, reply] = [incoming as FastifyRequest, outgoing as FastifyReply];
      request.routingError = error;
      const steps = [...pipeline.everyRequest, ...stepsBelow(request.url, pipeline)];
      const fail = (failure: unknown = error) => void respondWithError(failure, request, reply);
      try {
        runSteps(steps, request, reply, fail);
      } catch (failure) {
        fail(failure);
      }
    },
  };
  const app: FastifyInstance = Fastify({
    ...options,
    ...(httpsFactory ? { serverFactory: httpsFactory, https: {} } : { http: SERVER_OPTIONS }),
  });
  // Set here: Fastify leaves the servers of a factory, those for https, as they are.
  app.server.requestTimeout = LIMITS.requestMs;
  handleInTurn(app.server);
  drainOnClose(app.server);
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1). Node.js would respond without a body.
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange));
  app.setErrorHandler(sendError);
  installPipeline(app, pipeline);
  app.register(servicePlugin, { pipeline, respondWithError, logRequest });
  app.register(proxyPlugin, { ...services, steps: pipeline.beforeProxy, logRequest });
  app.register(elementsPlugin, { origins: services.originPolicy.origins, headers });
  app.get('/openapi.json', async () => {
    const { openApiDocument } = await import('../src/contract/openapi/document.js');
    return openApiDocument(openApi);
  });
  return app;
}

/** Printable ASCII: nothing else reaches a terminal that shows the log. */
const CHARACTERS = /^[ -~]+$/;

/** Creates the function that returns the trace id of a request: its own, or a new one if that may not appear in logs. */
function createTraceIds(
  header: string,
  newId: () => string,
): (request: Pick<IncomingMessage, 'headers'>) => string {
  const name = header.toLowerCase();
  return ({ headers }) => {
    const given = headers[name];
    return typeof given === 'string' && isAcceptable(given) ? given : newId();
  };
}

const isAcceptable = (id: string): boolean =>
  id.length <= LIMITS.traceIdCharacters && CHARACTERS.test(id) && !holdsCardNumber(id);
