import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  CONTROL_IDS,
  type ControlEndpoint,
  controlEndpoint,
  TENANT_SCOPE,
} from '../../src/contract/control/endpoints.js';
import { dashboardPlugin } from '../dashboard/plugin.js';
import { problem } from '../problems/problem.js';
import { isTenantGone, notFoundProblem } from '../problems/to-problem.js';
import { type Control, type HandledId, tenantNotFound } from './control.js';

/** Serves `/_emulator`: most of it by control token, and within the rate limit of the portal. */
export function controlPlugin(control: Control) {
  // Loads the handlers and the schemas of their requests with the first request, not at the start (goal S3).
  const handle: HandleRequest = async (...request) =>
    (await import('./handlers.js')).handleRequest(control, ...request);
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('preClose', async () => control.streams.endAll());
    registerEndpoints(app, handle, ({ open = false }) => open);
    await app.register(async (probes) => {
      requireToken(probes, control);
      registerEndpoints(probes, handle, ({ open = false, probe = false }) => probe && !open);
    });
    await app.register(async (portal) => {
      portal.addHook('onRequest', async (request) => {
        await control.rateLimiter?.count(request.ip, ['global', 'portal']);
      });
      await portal.register(dashboardPlugin);
      await portal.register(guardedPlugin(control, handle));
    });
  };
}

type HandleRequest = (id: HandledId, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Requires the control token as bearer token. Its digest is compared, which takes as long for every token. */
function requireToken(app: FastifyInstance, { token }: Control): void {
  const expected = hash('sha256', token, 'buffer');
  app.addHook('onRequest', async ({ headers: { authorization = '' } }) => {
    const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (given !== undefined && timingSafeEqual(hash('sha256', given, 'buffer'), expected)) return;
    const detail = 'The header Authorization must be "Bearer" and the control_token of the state file.';
    throw problem('unauthenticated', detail);
  });
}

function guardedPlugin(control: Control, handle: HandleRequest) {
  const { store } = control.context;
  return async (guarded: FastifyInstance): Promise<void> => {
    requireToken(guarded, control);
    guarded.setNotFoundHandler(({ url }) => {
      throw notFoundProblem(url);
    });
    // The tenant was deleted during the request: 404, since the token is still valid, unlike the key of a service request.
    guarded.setErrorHandler((error) => {
      throw isTenantGone(error) ? tenantNotFound() : error;
    });
    guarded.addHook('preHandler', async ({ params }) => {
      const { tenantId } = params as { tenantId?: string };
      if (tenantId !== undefined && !(await store.get('tenants', tenantId, tenantId))) throw tenantNotFound();
    });
    registerEndpoints(guarded, handle, ({ open = false, probe = false }) => !open && !probe);
  };
}

const HANDLED_IDS = CONTROL_IDS.filter((id): id is HandledId => id !== 'dashboard');

/** Registers the endpoints that `select` accepts. One that can be about one tenant has a second path. */
function registerEndpoints(
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
