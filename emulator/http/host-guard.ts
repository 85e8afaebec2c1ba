import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { HeaderNames } from '../../src/contract/headers.js';
import { problem, validationProblem } from '../problems/problem.js';
import { allowOrigin } from './cors.js';
import { createOriginClassifier, type OriginPolicy } from './origin-policy.js';
import type { Step } from './step.js';

/** Path prefix of the emulator's own endpoints. Pages of other origins, allowed ones included, must not call them. */
const CONTROL_PREFIX = '/_emulator';

/**
 * Rejects requests from web pages of other origins with 403, and sets the CORS headers for an allowed origin. A request without
 * exactly one Host is 400 (RFC 9112, section 3.2): a proxy in front may read another one than the emulator.
 */
export function guardHost(headers: HeaderNames, policy: OriginPolicy): Step {
  const classify = createOriginClassifier(policy);
  return (request, reply) => {
    if (!hasOneHost(request.raw)) throw validationProblem({ 'headers.Host': ['must be sent exactly once'] });
    const origin = classify(request.headers);
    if (origin === 'same-origin') return;
    if (origin === 'foreign-host')
      throw problem('foreignOrigin', 'Requests to this Host are not accepted. See --public-url.');
    if (origin === 'cross-origin' || isControl(request))
      throw problem('foreignOrigin', 'Requests from this Origin are not accepted. See --allow-origin.');
    allowOrigin(request, reply, headers);
  };
}

/** HTTP/1.0 knows no Host; a request without one is from a foreign host. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter(
    (name, i) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  );
  return hosts.length === 1 || (hosts.length === 0 && httpVersion === '1.0');
}

/** Checks the matched route as well, because the path may be encoded in other ways: `/%5Femulator`. */
function isControl({ url, routeOptions }: FastifyRequest): boolean {
  return url.startsWith(CONTROL_PREFIX) || (routeOptions.url?.startsWith(CONTROL_PREFIX) ?? false);
}
