import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../lib/logger.js';
import { bodyTooLarge } from '../operations/check-body.js';
import { toProblem } from '../problems/to-problem.js';
import { drain } from './connections/drain-body.js';
import { sendProblem } from './reply.js';

export type ErrorHandler = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** Sends the problem details of whatever a step, the body parser or a handler threw. */
export function createErrorHandler(logger: Logger): ErrorHandler {
  return async (error, request, reply) => {
    // Fastify does not read the rest of the body, and closes the connection after the response.
    if (reply.hasHeader('connection')) await drain(request.raw);
    if ((error as Partial<FastifyError>).code === 'FST_ERR_CTP_BODY_TOO_LARGE')
      return sendProblem(reply, bodyTooLarge(request.routeOptions.bodyLimit), request.id);
    request.problem = toProblem(error, request.id, logger);
    return sendProblem(reply, request.problem, request.id);
  };
}
