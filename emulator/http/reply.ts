import type { FastifyReply } from 'fastify';
import { PROBLEM_CONTENT_TYPE } from '../../src/contract/headers.js';
import type { OperationResult } from '../operations/call.js';
import { type ProblemError, problemBody } from '../problems/problem.js';
import { holdLargeResponse } from './large-messages.js';

const JSON_UTF8 = 'application/json; charset=utf-8';
const JSON_TYPE = /^application\/([^;]+\+)?json\b/i;

/** Sends the result of an operation. @throws ProblemError 503 when too many large responses wait for their clients */
export function sendResponse(reply: FastifyReply, { status, body, headers }: OperationResult): FastifyReply {
  const type = headers?.['content-type'];
  const text = body === undefined ? undefined : bodyText(body, type);
  const refusal = text === undefined ? undefined : holdLargeResponse(reply, text.length);
  if (refusal) throw refusal;
  if (headers) reply.headers(headers);
  reply.code(status);
  if (text === undefined) return reply.send();
  return sendText(reply, text, type);
}

/** The text of a body. A reactor may choose another type than JSON: a string is then the body as it is. */
function bodyText(body: unknown, type: string | undefined): string {
  return typeof body === 'string' && type !== undefined && !JSON_TYPE.test(type)
    ? body
    : JSON.stringify(body);
}

/** Sends a text with the type of a reactor, as bytes: Fastify would add a charset. */
function sendText(reply: FastifyReply, text: string, type: string | undefined): FastifyReply {
  return type === undefined
    ? reply.header('content-type', JSON_UTF8).send(text)
    : reply.header('content-type', type).send(Buffer.from(text));
}

/** Sends the common error body; decisions.md. @param extension further members of the body (RFC 9457, section 3.2) */
export function sendProblem(
  reply: FastifyReply,
  error: ProblemError,
  traceId: string,
  extension: object = {},
): FastifyReply {
  if (error.body !== undefined) {
    const type = error.headers?.['content-type'];
    const text = bodyText(error.body, type);
    const refusal = holdLargeResponse(reply, text.length);
    if (refusal) return sendProblem(reply, refusal, traceId);
    if (error.headers) reply.headers(error.headers);
    return sendText(reply.code(error.status), text, type);
  }
  if (error.headers) reply.headers(error.headers);
  const body = JSON.stringify({ ...problemBody(error, traceId), ...extension });
  // As bytes: Fastify would add a charset to text, which this media type does not have (RFC 9457, section 3).
  return reply.code(error.status).header('content-type', PROBLEM_CONTENT_TYPE).send(Buffer.from(body));
}
