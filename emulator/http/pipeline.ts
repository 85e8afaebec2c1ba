import type { FastifyRequest } from 'fastify';
import type { HeaderNames } from '../../src/contract/headers.js';
import type { Execute, OperationResult } from '../operations/call.js';
import type { ProxyLookup } from '../operations/proxies/proxy-key.js';
import type { FaultInjector } from '../services/fault-injector.js';
import type { Idempotency } from '../services/idempotency/idempotency.js';
import type { RateLimiter } from '../services/rate-limiter.js';
import type { SharedState } from '../services/shared-store/shared-state.js';
import type { Tracing } from '../services/tracing/tracing.js';
import { type AuthenticationServices, authenticate, authenticateIfGiven } from './authenticate.js';
import { authorize } from './authorize.js';
import { type BodyParser, parseBody } from './body-parser.js';
import { requireContentType } from './content-type.js';
import { answerPreflight } from './cors.js';
import { executeOnce } from './execute-once.js';
import { applyFault } from './fault.js';
import { guardHost } from './host-guard.js';
import type { OriginPolicy } from './origin-policy.js';
import { limitRate } from './rate-limit.js';
import { refreshSharedState } from './refresh-shared-state.js';
import { requireOperation } from './require-operation.js';
import { startRequest } from './start-request.js';
import type { Step } from './step.js';
import { createTenantFinder } from './tenant-of-request.js';
import { traceRequest } from './trace-request.js';

export interface PipelineServices extends AuthenticationServices, ProxyLookup {
  headers: HeaderNames;
  originPolicy: OriginPolicy;
  faultInjector: Pick<FaultInjector, 'match'>;
  /** undefined: requests are not limited. */
  rateLimiter: Pick<RateLimiter, 'count'> | undefined;
  idempotency: Pick<Idempotency, 'run'>;
  execute: Execute;
  /** undefined: no other process shares the store. */
  shared: Pick<SharedState, 'refresh'> | undefined;
  /** undefined: no spans are recorded. */
  tracing: Pick<Tracing, 'startRequest'> | undefined;
}

/** The steps of a request from top to bottom. `routes.ts` installs them in Fastify. */
export interface Pipeline {
  /** For every request, those to `/_emulator` included. */
  everyRequest: readonly Step[];
  /** For requests to the service, before their body is read. */
  beforeBody: readonly Step[];
  /** For requests through a proxy, before their body is read. */
  beforeProxy: readonly Step[];
  readBody: BodyParser;
  execute: (request: FastifyRequest) => Promise<OperationResult>;
}

/** Lists the steps of a request in the order of decisions.md ("The checks run in this order"), each with its statuses. */
export function createPipeline(services: PipelineServices): Pipeline {
  const { headers, originPolicy, faultInjector, rateLimiter, idempotency, execute, shared } = services;
  const traced = services.tracing ? [traceRequest(services.tracing)] : [];
  const tenantOf = createTenantFinder(services);
  return {
    everyRequest: [
      startRequest(headers),
      refreshSharedState(shared), //           503
      guardHost(headers, originPolicy), //     400, 403
      answerPreflight(headers), //             204
    ],
    beforeBody: [
      ...traced,
      applyFault(faultInjector, tenantOf), //  the status of the fault
      limitRate(rateLimiter), //               429
      authenticate(headers, services), //      401
      requireOperation, //                     404, 405
      authorize, //                            403
      requireContentType, //                   415
    ],
    beforeProxy: [
      ...traced,
      applyFault(faultInjector, tenantOf), //  the status of the fault
      limitRate(rateLimiter), //               429
      authenticateIfGiven(headers, services), // 401 for an unknown key
    ],
    // Fastify reads the body between its hooks and the handler. It checks the size (413), then calls the parser.
    readBody: parseBody, //                    400
    execute: executeOnce(
      headers,
      idempotency, // 409
      // operations/execute.ts: resource (404), query and body (400), handler (403 on the containers).
      execute,
    ),
  };
}
