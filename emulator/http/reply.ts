import type { FastifyReply } from 'fastify';
import { PROBLEM_CONTENT_TYPE } from '../../src/contract/headers.js';
import type { OperationResult } from '../operations/call.js';
import { type ProblemError, problemBody } from '../problems/problem.js';

const JSON_UTF8 = 'application/json; charset=utf-8';

/** Sends the result of an operation. */
export function sendResponse(reply: FastifyReply, { status, body, headers }: OperationResult): FastifyReply {
  if (headers) reply.headers(headers);
  reply.code(status);
  if (body === undefined) return reply.send();
  return reply.header('content-type', JSON_UTF8).send(JSON.stringify(body));
}

/** Sends the common error body; decisions.md. @param extension further members of the body (RFC 9457, section 3.2) */
export function sendProblem(
  reply: FastifyReply,
  error: ProblemError,
  traceId: string,
  extension: object = {},
): FastifyReply {
  if (error.headers) reply.headers(error.headers);
  if (error.body !== undefined) {
    return reply.code(error.status).header('content-type', JSON_UTF8).send(JSON.stringify(error.body));
  }
  const body = JSON.stringify({ ...problemBody(error, traceId), ...extension });
  // As bytes: Fastify would add a charset to text, which this media type does not have (RFC 9457, section 3).
  return reply.code(error.status).header('content-type', PROBLEM_CONTENT_TYPE).send(Buffer.from(body));
}
