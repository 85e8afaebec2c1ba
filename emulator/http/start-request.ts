import type { HeaderNames } from '../../src/contract/headers.js';
import type { Step } from './step.js';

/** Starts the timer, finds the operation of the route and sets the headers that every response has. */
export function startRequest({ traceId }: HeaderNames): Step {
  return (request, reply) => {
    request.startedAt = performance.now();
    request.config = request.routeOptions.config ?? {};
    request.operation = request.config.operation;
    reply.header(traceId, request.id).header('cache-control', 'no-store');
  };
}
