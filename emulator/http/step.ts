import type { IncomingMessage } from 'node:http';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { holdsCardNumber } from '../../src/contract/card-numbers.js';
import { LIMITS } from '../../src/contract/limits.js';
import type { OperationId } from '../../src/contract/operations.js';
import type { Call } from '../operations/call.js';
import type { ProblemError } from '../problems/problem.js';
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
    /** The problem that ended the request. */
    problem: ProblemError | undefined;
    /** Why the router rejected the path, if it did. */
    routingError: Error | undefined;
    /** When the request arrived, in milliseconds of the monotonic clock. */
    startedAt: number;
    /** The length of the body. */
    bodyBytes: number;
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

/** A step of the pipeline. It throws a ProblemError to refuse the request, or sends the response itself. */
export type Step = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/**
 * Runs steps in order, until one throws or has sent the response; calls `done` after the last one. It is synchronous
 * unless a step is asynchronous: in an async function, every request would wait for several microtasks.
 */
export function runSteps(
  steps: readonly Step[],
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  let position = 0;
  for (const step of steps) {
    position += 1;
    const pending = step(request, reply);
    if (pending) {
      const next = () => reply.sent || runSteps(steps.slice(position), request, reply, done);
      pending.then(next).catch(done);
      return;
    }
    if (reply.sent) return;
  }
  done();
}

/** Returns the record of a request to the service. */
export function recordOf({ record }: FastifyRequest): RequestRecord {
  if (!record) throw new Error('The step must run after beginRecord.');
  return record;
}

/** Returns the call of an authenticated request. */
export function callOf({ call }: FastifyRequest): Call {
  if (!call) throw new Error('The step must run after authentication.');
  return call;
}

/** Printable ASCII: nothing else reaches a terminal that shows the log. */
const CHARACTERS = /^[ -~]+$/;

/**
 * Creates the function that returns the trace id of a request: that of its header, or a new one if there is none that may
 * appear in logs, events and spans.
 */
export function createTraceIds(
  header: string,
  newId: () => string,
): (request: Pick<IncomingMessage, 'headers'>) => string {
  const name = header.toLowerCase();
  return ({ headers }) => {
    const given = headers[name];
    return typeof given === 'string' && isAcceptable(given) ? given : newId();
  };
}

const isAcceptable = (id: string): boolean =>
  id.length <= LIMITS.traceIdCharacters && CHARACTERS.test(id) && !holdsCardNumber(id);
