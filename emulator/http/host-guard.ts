import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HeaderNames } from '../../src/contract/headers.js';
import { problem } from '../problems/problem.js';
import { allowOrigin } from './cors.js';
import { createOriginGuard, type OriginPolicy } from './origin-policy.js';

/** Where the emulator's own endpoints are: not for pages of other origins, allowed ones included. */
const CONTROL_PREFIX = '/_emulator';

/** The first check of every request; sets the headers that every response has. @throws ProblemError 403 */
export function createHostGuard(names: HeaderNames, policy: OriginPolicy) {
  const verdict = createOriginGuard(policy);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    request.startedAt = performance.now();
    reply.header(names.traceId, request.id).header('cache-control', 'no-store');
    const origin = verdict(request.headers);
    if (origin === 'own') return;
    if (origin === 'foreign' || isControl(request)) {
      throw problem(
        'foreignOrigin',
        'Requests from this Host or Origin are not accepted; see --allow-origin.',
      );
    }
    allowOrigin(request, reply, names);
  };
}

/** By the route that was found: the path as requested may be written in other ways, `/%5Femulator`. */
function isControl({ url, routeOptions }: FastifyRequest): boolean {
  return url.startsWith(CONTROL_PREFIX) || (routeOptions.url?.startsWith(CONTROL_PREFIX) ?? false);
}
