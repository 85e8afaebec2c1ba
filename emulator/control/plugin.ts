import type { FastifyInstance } from 'fastify';
import { dashboardPlugin } from '../dashboard/plugin.js';
import { problem } from '../problems/problem.js';
import type { Control } from './control.js';
import { createTokenCheck } from './control-token.js';
import { registerControl } from './routes.js';

/** Everything under `/_emulator`: health, ready and the dashboard's page are open, the rest needs the control token. */
export function controlPlugin(control: Control) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/health', async () => ({ status: 'ok' }));
    app.get('/ready', async () => {
      if (!control.ready) throw problem('unavailable', 'The emulator is starting or stopping.');
      return { status: 'ready' };
    });
    await app.register(async (portal) => {
      portal.addHook('onRequest', (request, _reply, done) => {
        control.rateLimiter?.count(request.ip, ['global', 'portal']);
        done();
      });
      await portal.register(dashboardPlugin);
      await portal.register(guardedPlugin(control));
    });
  };
}

function guardedPlugin(control: Control) {
  const checkToken = createTokenCheck(control.token);
  return async (guarded: FastifyInstance): Promise<void> => {
    guarded.addHook('onRequest', (request, _reply, done) => {
      checkToken(request.headers);
      done();
    });
    guarded.setNotFoundHandler(() => {
      throw problem('notFound', 'There is no such control endpoint.');
    });
    registerControl(guarded, control);
  };
}
