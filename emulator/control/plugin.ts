import type { FastifyInstance } from 'fastify';
import { dashboardPlugin } from '../dashboard/plugin.js';
import { problem } from '../problems/problem.js';
import { createTokenCheck } from './check-token.js';
import type { Control } from './control.js';
import { EventStreams } from './event-stream.js';
import type { ControlHandlers } from './handler.js';
import { createHandlers } from './handlers.js';
import { registerEndpoints } from './routes.js';

/** Serves everything below `/_emulator`. All but the open endpoints and the page of the dashboard need the control token. */
export function controlPlugin(control: Control) {
  const streams = new EventStreams(control);
  const handlers = createHandlers(control, streams);
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('preClose', async () => streams.endAll());
    registerEndpoints(app, handlers, { open: true });
    await app.register(async (portal) => {
      portal.addHook('onRequest', async (request) => {
        await control.rateLimiter?.count(request.ip, ['global', 'portal']);
      });
      await portal.register(dashboardPlugin);
      await portal.register(guardedPlugin(control, handlers));
    });
  };
}

function guardedPlugin({ token }: Control, handlers: ControlHandlers) {
  const checkToken = createTokenCheck(token);
  return async (guarded: FastifyInstance): Promise<void> => {
    guarded.addHook('onRequest', (request, _reply, done) => {
      checkToken(request.headers);
      done();
    });
    guarded.setNotFoundHandler(() => {
      throw problem('notFound', 'There is no such control endpoint.');
    });
    registerEndpoints(guarded, handlers, { open: false });
  };
}
