import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import type { OperationId } from '../../src/contract/operations.js';
import type { Call } from '../operations/context.js';
import type { ProblemError } from '../problems/problem.js';
import type { Charge } from '../services/admission.js';
import type { RequestRecord } from '../services/request-record/request-record.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The configuration of the route. Fastify would build `routeOptions` again each time it is read. */
    config: FastifyContextConfig;
    /** The operation that the route serves; undefined for an unknown path or method. */
    operation: OperationId | undefined;
    /** Set by `authenticate`. */
    call: Call | null;
    /** The tenant of a request that ended before it was authenticated. */
    tenantId: string | undefined;
    /** What a fault makes of the activation of what the request writes. */
    activation: Call['activation'];
    problem: ProblemError | undefined;
    /** Why the router rejected the path, if it did. */
    routingError: Error | undefined;
    /** When the request arrived, in milliseconds of the monotonic clock. */
    startedAt: number;
    /** What the request holds, until it has been responded to. */
    charge: Charge;
    /** The JSON of a body that is not large. */
    bodyText: string | undefined;
    /** Absent if the request was refused before the steps of the service. */
    record: RequestRecord | undefined;
  }
  interface FastifyContextConfig {
    operation?: OperationId;
    /** The body is parsed as JSON; otherwise it is ignored. */
    takesBody?: boolean;
    optionalBody?: boolean;
  }
}

/** The properties and their first values. */
const DECLARED = {
  ...{ config: null, operation: undefined, call: null, tenantId: undefined, activation: undefined },
  ...{ problem: undefined, routingError: undefined, startedAt: 0, charge: null, bodyText: undefined },
  record: undefined,
} as const;

/** Declares the properties, so that all requests have the same shape. */
export function declareProperties(app: FastifyInstance): void {
  for (const [name, value] of Object.entries(DECLARED)) app.decorateRequest(name, value);
}

export function recordOf({ record }: FastifyRequest): RequestRecord {
  if (!record) throw new Error('The step must run after beginRecord.');
  return record;
}

export function callOf({ call }: FastifyRequest): Call {
  if (!call) throw new Error('The step must run after authentication.');
  return call;
}
