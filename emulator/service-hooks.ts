import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RateScope } from '../src/contract/limits.js';
import { type OperationId, operationRow } from '../src/contract/operations.js';
import type { Control } from './control/control.js';
import { createAuthenticator } from './http/caller.js';
import { faultHook } from './http/fault-hook.js';
import { requestEvents } from './http/request-events.js';
import { unrouted } from './http/routes.js';

const GLOBAL: readonly RateScope[] = ['global'];

function scopesOf(operation: OperationId | undefined): readonly RateScope[] {
  const own = operation && operationRow(operation).rateScope;
  return own ? [...GLOBAL, own] : GLOBAL;
}

/** What every request of the service passes before its route: faults, rate limit (429), key (401), path (404, 405). */
export function serviceHooks({ context, faults, rateLimiter }: Control) {
  const authenticate = createAuthenticator(context.headers.apiKey, context.directory);

  /** @throws ProblemError 429 or 401 */
  function admit(request: FastifyRequest, operation?: OperationId): void {
    rateLimiter?.count(request.ip, scopesOf(operation));
    const caller = authenticate(request.headers);
    const { id } = caller.application;
    request.call = { ...caller, actor: { id, type: 'application' }, traceId: request.id, depth: 0 };
  }

  function add(app: FastifyInstance): void {
    app.addHook('onRequest', faultHook(faults));
    app.addHook('onRequest', (request, _reply, done) => {
      admit(request, request.routeOptions.config.operation);
      // Before the framework looks at the body: path and method come before its type, size and JSON.
      if (request.is404) throw unrouted(request.url);
      done();
    });
    app.addHook('onResponse', requestEvents(context));
    // So that these hooks run for unknown paths too.
    app.setNotFoundHandler((request) => {
      throw unrouted(request.url);
    });
  }

  return { admit, add };
}
