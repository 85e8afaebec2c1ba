import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { JSON_CONTENT_TYPE } from '../../src/contract/headers.js';
import { LIMITS } from '../../src/contract/limits.js';
import { contentTypeOf, type OperationRow } from '../../src/contract/operation-row.js';
import { operationRow } from '../../src/contract/operations.js';
import {
  BODY_BOUNDS,
  findJsonFault,
  findTextFault,
  JSON_FAULT_MESSAGES,
  type JsonBounds,
} from '../lib/json-bounds.js';
import { SMALL_BYTES } from '../lib/turns.js';
import { problem, validationProblem } from '../problems/problem.js';
import type { Step } from './step.js';

export type BodyParser = (request: FastifyRequest, bytes: Buffer) => unknown;

/** Parses a body as JSON, whatever its type, or ignores it if the operation takes none. @throws ProblemError 400 */
export const parseBody: BodyParser = (request, bytes) => {
  const { takesBody, optionalBody } = request.config;
  if (!takesBody || (optionalBody && bytes.length === 0)) return undefined;
  const { 'content-type': type = '' } = request.headers;
  if (isForm(request)) {
    if (hasManyParts(bytes)) throw malformed(`must be a form of at most ${MAX_PARTS} parts`);
    // The handler reads the form.
    return new Response(bytes, { headers: { 'content-type': type } });
  }
  // Decoding would insert replacement characters, which cannot be told from the caller's own data.
  if (!isUtf8(bytes)) throw malformed('must be JSON in UTF-8');
  const text = bytes.toString();
  const body = parseJson(text, boundsOf(request));
  if (bytes.length <= SMALL_BYTES) request.bodyText = text;
  return body;
};

const isForm = ({ operation }: FastifyRequest): boolean =>
  operation !== undefined && operationRow(operation).body === 'multipart';

const MAX_PARTS = 10;

/** Whether a form has more parts than any operation reads: those of 3 MB take 350 ms to parse. Its first line is its delimiter. */
function hasManyParts(form: Buffer): boolean {
  const start = form.indexOf('--');
  if (start < 0) return false;
  const delimiter = form.subarray(start, form.indexOf('\r\n', start));
  let delimiters = 0;
  for (let at = start; at >= 0 && delimiters <= MAX_PARTS + 1; at = form.indexOf(delimiter, at + 1))
    delimiters += 1;
  return delimiters > MAX_PARTS + 1;
}

/** A tenant file, which is longer than any other body, holds what many requests have created. */
function boundsOf({ routeOptions }: FastifyRequest): JsonBounds {
  const isFile = (routeOptions.bodyLimit ?? 0) > LIMITS.bodyBytes;
  return isFile ? { ...BODY_BOUNDS, values: Number.POSITIVE_INFINITY } : BODY_BOUNDS;
}

/** The message never quotes the text, as the message of JSON.parse would. */
function parseJson(text: string, bounds: JsonBounds): unknown {
  if (text === '') throw malformed('is required, JSON');
  const textFault = findTextFault(text, bounds);
  if (textFault) throw malformed(JSON_FAULT_MESSAGES[textFault]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('must be valid JSON');
  }
  const fault = MAY_BE_FAULTY.test(text) ? findJsonFault(value, bounds) : undefined;
  if (fault) throw malformed(JSON_FAULT_MESSAGES[fault]);
  return value;
}

const malformed = (message: string) => validationProblem({ body: [message] });

/** Finds what faulty values have, so that few are walked: `__proto__`, escapes of letters, exponents or 200 digits. */
const MAY_BE_FAULTY = /__proto__|\\u00[567]|\d[eE]\+?\d{3}|(?<!\d)\d{200}/;

export const requireContentType: Step = ({ operation, headers }) => {
  if (!operation) return;
  const { body, optionalBody } = operationRow(operation);
  // Some clients name a type although they send no body.
  if (body && !(optionalBody && !hasBody(headers))) checkContentType(body, headers);
  // A body that is ignored may have any type; Fastify would reject a malformed one.
  else if (headers['content-type'] !== undefined) delete headers['content-type'];
};

/** Accepts a charset; a POST or PUT without a body needs no type. @throws ProblemError 415 */
function checkContentType(body: NonNullable<OperationRow['body']>, headers: IncomingHttpHeaders): void {
  const expected = contentTypeOf({ body });
  const contentType = headers['content-type'];
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === expected || (body === 'any-json' && type?.endsWith('+json'))) return;
  if (expected === JSON_CONTENT_TYPE && contentType === undefined && !hasBody(headers)) return;
  throw problem('unsupportedMediaType', `The header Content-Type must be ${expected}.`);
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
