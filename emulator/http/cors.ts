import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HeaderNames } from '../../src/contract/headers.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';

/** Seconds that a browser remembers what it asked. */
const MAX_AGE_SECONDS = 600;

const METHODS = [...new Set(OPERATION_IDS.map((id) => operationRow(id).method))].join(', ');

/** Tells the browser that a page of an allowed origin may read the answer. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, names: HeaderNames): void {
  reply.headers({
    'access-control-allow-origin': request.headers.origin ?? '',
    'access-control-expose-headers': `${names.traceId}, Retry-After`,
    vary: 'Origin',
  });
}

/** What a browser asks before it sends a request with headers of ours. */
export function isPreflight(request: FastifyRequest): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}

export function answerPreflight(reply: FastifyReply, names: HeaderNames): FastifyReply {
  return reply
    .headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': `Content-Type, ${names.apiKey}, ${names.traceId}, ${names.idempotencyKey}`,
      'access-control-max-age': String(MAX_AGE_SECONDS),
    })
    .code(204)
    .send();
}
