import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_CONTENT_TYPE } from '../../src/contract/headers.js';
import { problemType } from '../../src/contract/problems.js';
import type { Logger } from '../lib/logger.js';
import { bodyTooLarge } from '../operations/json-body.js';
import type { ProblemError } from '../problems/problem.js';
import { toProblem } from '../problems/to-problem.js';
import { sendProblem } from './reply.js';

export type ErrorHandler = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** Sends the problem details of whatever a step, the body parser or a handler threw. */
export function createErrorHandler(logger: Logger): ErrorHandler {
  return async (error, request, reply) => {
    const problem = await endWithProblem(error, request, reply, logger);
    await sendProblem(reply, problem, request.id);
    return reply;
  };
}

/** Converts what ended a request to its problem, as soon as the response can be sent. */
export async function endWithProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): Promise<ProblemError> {
  // Fastify does not read the rest of the body, and closes the connection after the response.
  if (reply.hasHeader('connection')) await drain(request.raw);
  const isTooLarge = (error as Partial<FastifyError>).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
  request.problem = isTooLarge
    ? bodyTooLarge(request.routeOptions.bodyLimit)
    : toProblem(error, request.id, logger);
  return request.problem;
}

const STATUS_BY_CODE: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Responds to bytes that are not a valid HTTP request. They do not reach the pipeline. */
export function answerClientError(traceHeader: string) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const status = STATUS_BY_CODE[error.code ?? ''] ?? 400;
    const title = STATUS_CODES[status] ?? '';
    const instance = randomUUID();
    const detail = 'This is not a valid HTTP request.';
    const body = JSON.stringify({ type: problemType('validation'), title, status, detail, instance });
    socket.end(
      [
        `HTTP/1.1 ${status} ${title}`,
        `Content-Type: ${PROBLEM_CONTENT_TYPE}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        `${traceHeader}: ${instance}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  };
}

/** Bytes and milliseconds after which a client that sends too much is disconnected. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 5_000;

/** Discards the rest of a body, within bounds: a client that is still writing would see a reset, and no response. */
function drain(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const done = () => {
      clearTimeout(timer);
      request.off('data', count).off('end', done).off('close', done);
      resolve();
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) done();
    };
    const timer = setTimeout(done, MAX_MS);
    request.on('data', count).on('end', done).on('close', done);
  });
}
