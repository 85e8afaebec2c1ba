import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HeaderNames } from '../../src/contract/headers.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import type { Step } from './step.js';

/** How long a browser caches a preflight response, in seconds. */
const MAX_AGE_SECONDS = 600;

const METHODS = [...new Set(OPERATION_IDS.map((id) => operationRow(id).method))].join(', ');

/** The headers of responses that a page can read. */
const EXPOSED = [
  'traceId',
  ...OPERATION_IDS.flatMap((id) => Object.keys(operationRow(id).responseHeaders ?? {})),
] as (keyof HeaderNames)[];

/** Sets the headers that let a page of an allowed origin read the response. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, names: HeaderNames): void {
  reply.headers({
    'access-control-allow-origin': request.headers.origin ?? '',
    'access-control-expose-headers': [...EXPOSED.map((name) => names[name]), 'Retry-After'].join(', '),
    vary: 'Origin',
  });
}

/** Answers the preflight request of a browser, which carries no API key. */
export function answerPreflight({ apiKey, traceId, idempotencyKey }: HeaderNames): Step {
  const usual = `Content-Type, ${apiKey}, ${traceId}, ${idempotencyKey}`;
  return (request, reply) => {
    if (!isPreflight(request)) return;
    // Echoed, since client libraries send headers of their own and the origin has been allowed.
    const requested = request.headers['access-control-request-headers'];
    reply
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': requested || usual,
        'access-control-max-age': String(MAX_AGE_SECONDS),
        vary: 'Origin, Access-Control-Request-Headers',
      })
      .code(204)
      .send();
  };
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
