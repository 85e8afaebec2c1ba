import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { PROBLEM_CONTENT_TYPE } from '../../src/contract/headers.js';
import { jsonLength } from '../lib/json-length.js';
import type { OperationResult } from '../operations/call.js';
import { type ProblemError, problemBody } from '../problems/problem.js';
import { SMALL_BYTES } from '../services/admission.js';
import { disconnectStalled, serializeLarge } from './large-messages.js';

const JSON_UTF8 = 'application/json; charset=utf-8';
const JSON_TYPE = /^application\/([^;]+\+)?json\b/i;

/**
 * Sends the result of an operation. A large one is sent in slices, when there is room for it.
 * @throws ProblemError 503, 400
 */
export function sendResponse(
  reply: FastifyReply,
  { status, body, headers }: OperationResult,
): FastifyReply | Promise<FastifyReply> {
  const type = headers?.['content-type'];
  if (isLargeJson(body, type)) return sendLarge(reply, status, body, headers);
  if (headers) reply.headers(headers);
  reply.code(status);
  if (body === undefined) return reply.send();
  return sendText(reply, bodyText(body, type), type);
}

const isLargeJson = (body: unknown, type: string | undefined): boolean =>
  typeof body === 'object' &&
  (type === undefined || JSON_TYPE.test(type)) &&
  jsonLength(body, SMALL_BYTES) > SMALL_BYTES;

async function sendLarge(
  reply: FastifyReply,
  status: number,
  body: unknown,
  headers: OperationResult['headers'],
): Promise<FastifyReply> {
  const { chunks, bytes } = await serializeLarge(reply.request, body);
  if (headers) reply.headers(headers);
  if (headers?.['content-type'] === undefined) reply.header('content-type', JSON_UTF8);
  disconnectStalled(reply);
  return reply.code(status).header('content-length', bytes).send(Readable.from(chunks));
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
): FastifyReply | Promise<FastifyReply> {
  const { status, headers, body: chosen } = error;
  if (chosen !== undefined) return sendResponse(reply, { status, body: chosen, ...(headers && { headers }) });
  if (error.headers) reply.headers(error.headers);
  const body = JSON.stringify({ ...problemBody(error, traceId), ...extension });
  // As bytes: Fastify would add a charset to text, which this media type does not have (RFC 9457, section 3).
  return reply.code(error.status).header('content-type', PROBLEM_CONTENT_TYPE).send(Buffer.from(body));
}
