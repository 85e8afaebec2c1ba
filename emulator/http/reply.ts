import { Readable } from 'node:stream';
import type { FastifyReply, preParsingHookHandler } from 'fastify';
import { PROBLEM_CONTENT_TYPE } from '../../src/contract/headers.js';
import { LIMITS } from '../../src/contract/limits.js';
import { jsonLength } from '../lib/json-bounds.js';
import { forEachYielding, nextTurn, SMALL_BYTES } from '../lib/turns.js';
import type { OperationResult } from '../operations/context.js';
import { listTooLong } from '../operations/pagination.js';
import { type ProblemError, problemBody } from '../problems/problem.js';
import { COSTS } from '../services/admission.js';

const JSON_UTF8 = 'application/json; charset=utf-8';
const JSON_TYPE = /^application\/([^;]+\+)?json\b/i;

/** Sends a result, if large in slices. @returns the JSON of the body, unless it is large @throws ProblemError 503, 400 */
export function sendResponse(
  reply: FastifyReply,
  result: OperationResult,
): string | undefined | Promise<undefined> {
  const { status, body, headers } = result;
  const type = headers?.['content-type'];
  if (isLarge(body, type)) return sendLarge(reply, result);
  if (headers) reply.headers(headers);
  reply.code(status);
  if (body === undefined || Buffer.isBuffer(body)) return void reply.send(body);
  const json = JSON.stringify(body);
  // A reactor may choose another type than JSON: a string is then the body as it is. As bytes: Fastify would add a charset.
  const isText = typeof body === 'string' && type !== undefined && !JSON_TYPE.test(type);
  if (type === undefined) reply.header('content-type', JSON_UTF8).send(json);
  else reply.header('content-type', type).send(Buffer.from(isText ? body : json));
  return json;
}

function isLarge(body: unknown, type: string | undefined): boolean {
  if (Buffer.isBuffer(body)) return body.length > SMALL_BYTES;
  const isJson = typeof body === 'object' && (type === undefined || JSON_TYPE.test(type));
  return isJson && jsonLength(body, SMALL_BYTES) > SMALL_BYTES;
}

/** @throws ProblemError 503, unless the request has changed something; 400 when a list is longer than a response may be */
async function sendLarge(
  reply: FastifyReply,
  { status, body, headers }: OperationResult,
): Promise<undefined> {
  const { charge, method, operation } = reply.request;
  const length = Buffer.isBuffer(body) ? body.length : jsonLength(body);
  const hasChanged = method !== 'GET' && operation?.endsWith('search') !== true;
  await charge.raise(length * COSTS.response, hasChanged);
  await nextTurn();
  const isList = typeof body === 'object' && body !== null && 'pagination' in body;
  const { chunks, bytes } = await serialize(body, isList ? LIMITS.responseBytes : Number.POSITIVE_INFINITY);
  if (headers) reply.headers(headers);
  if (headers?.['content-type'] === undefined) reply.header('content-type', JSON_UTF8);
  disconnectStalled(reply);
  reply.code(status).header('content-length', bytes).send(Readable.from(chunks));
}

/** Sends the common error body; decisions.md. @param extension further members of the body (RFC 9457, section 3.2) */
export async function sendProblem(
  reply: FastifyReply,
  error: ProblemError,
  traceId: string,
  extension: object = {},
): Promise<void> {
  const { status, headers, body: chosen } = error;
  if (chosen !== undefined)
    return void (await sendResponse(reply, { status, body: chosen, ...(headers && { headers }) }));
  if (error.headers) reply.headers(error.headers);
  const body = JSON.stringify({ ...problemBody(error, traceId), ...extension });
  // As bytes: Fastify would add a charset to text, which this media type does not have (RFC 9457, section 3).
  reply.code(error.status).header('content-type', PROBLEM_CONTENT_TYPE).send(Buffer.from(body));
}

// Large bodies and responses: they are admitted before they take memory, and handled in slices.

/** Waits until there is room for a large body and what is made of it, before it is read. 503 when that takes too long. */
export const admitBody: preParsingHookHandler = (request, _reply, payload, done) => {
  const { headers, charge } = request;
  const { bodyLimit = LIMITS.bodyBytes } = request.routeOptions;
  const length = Number(headers['content-length'] ?? (headers['transfer-encoding'] ? bodyLimit : 0));
  // One that is too long is refused.
  if (length <= SMALL_BYTES || length > bodyLimit) return done(null, payload);
  charge.raise(length * COSTS.body).then(
    () => done(null, payload),
    (error: Error) => done(error),
  );
};

/** Milliseconds that a client may take nothing of a large response; twice as long, and it is disconnected. */
const STALLED_CLIENT_MS = 10_000;

/** Disconnects a client that does not take its response, which is held until then. */
export function disconnectStalled({ raw, request }: FastifyReply): void {
  const { socket } = request.raw;
  raw.setTimeout(STALLED_CLIENT_MS);
  // Before Node.js sets the timeout of the next response, or that of an idle connection.
  raw.prependOnceListener('finish', () => {
    if (socket.timeout === STALLED_CLIENT_MS) socket.setTimeout(0);
  });
}

const MAX_TEXTS = 1_000;

/** Serializes a body in slices, unless it is a file. @throws ProblemError 400 when the text is longer than `limit` */
async function serialize(body: unknown, limit: number): Promise<{ chunks: Buffer[]; bytes: number }> {
  if (Buffer.isBuffer(body)) return { chunks: [body], bytes: body.length };
  const chunks: Buffer[] = [];
  let [bytes, length] = [0, 0];
  let texts: string[] = [];
  const flush = () => {
    const chunk = Buffer.from(texts.join(''));
    chunks.push(chunk);
    bytes += chunk.length;
    [texts, length] = [[], 0];
  };
  await forEachYielding(jsonTexts(body), (text) => {
    if (bytes > limit) return;
    length += text.length;
    if (texts.push(text) > MAX_TEXTS || length > SMALL_BYTES) flush();
  });
  flush();
  if (bytes > limit) throw listTooLong();
  return { chunks, bytes };
}

/** The JSON of a value in parts, each of which is short or one value. */
function* jsonTexts(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || jsonLength(value, SMALL_BYTES) <= SMALL_BYTES) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  if (Array.isArray(value)) return yield* arrayTexts(value);
  let before = '{';
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonTexts(item);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* arrayTexts(items: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before;
    yield* jsonTexts(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
