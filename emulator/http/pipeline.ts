import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateScope } from '../../src/contract/limits.js';
import { type OperationId, operationRow } from '../../src/contract/operations.js';
import type { Control } from '../control/control.js';
import { createAuthenticator } from './authenticate.js';
import { applyFault, matchFault } from './fault.js';

const GLOBAL: readonly RateScope[] = ['global'];

function scopesOf(operation: OperationId | undefined): readonly RateScope[] {
  const own = operation && operationRow(operation).rateScope;
  return own ? [...GLOBAL, own] : GLOBAL;
}

/** @throws ProblemError 429 or 401; sets `request.call` otherwise */
export type Admit = (request: FastifyRequest) => void;

/** What every request of the service passes first: rate limit, then key. */
export function createAdmit({ context, rateLimiter }: Control): Admit {
  const authenticate = createAuthenticator(context.headers.apiKey, context.callers);
  return (request) => {
    rateLimiter?.count(request.ip, scopesOf(request.operation));
    const { tenant, application, access, actor } = authenticate(request.headers);
    request.call = { tenant, application, access, actor, traceId: request.id, depth: 0 };
  };
}

/** Calls `next` when the request may go on, with an error when it may not, and never when a fault cut it off. */
export type Gate = (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void) => void;

/** Faults, then what every request passes. Synchronous as long as no fault strikes. */
export function createGate({ faults }: Control, admit: Admit): Gate {
  return (request, reply, next) => {
    const fault = matchFault(faults, request);
    if (!fault) {
      admit(request);
      return next();
    }
    applyFault(fault, request, reply)
      .then((goesOn) => {
        if (!goesOn) return;
        admit(request);
        next();
      })
      .catch(next);
  };
}
