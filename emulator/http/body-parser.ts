import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { LIMITS } from '../../src/contract/limits.js';
import {
  BODY_BOUNDS,
  findJsonFault,
  findTextFault,
  JSON_FAULT_MESSAGES,
  type JsonBounds,
} from '../lib/json-checks.js';
import { validationProblem } from '../problems/problem.js';

export type BodyParser = (request: FastifyRequest, bytes: Buffer) => unknown;

/**
 * Parses a body as JSON, whatever its type: that was checked before the body was read. The body of an operation that
 * takes none is ignored.
 * @throws ProblemError 400
 */
export const parseBody: BodyParser = (request, bytes) => {
  const { takesBody, optionalBody } = request.config;
  if (!takesBody || (optionalBody && bytes.length === 0)) return undefined;
  // Decoding would insert replacement characters, which cannot be told from the caller's own data.
  if (!isUtf8(bytes)) throw malformed('must be JSON in UTF-8');
  return parseJson(bytes.toString(), boundsOf(request));
};

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

function malformed(message: string) {
  return validationProblem({ body: [message] });
}

/**
 * Finds what a faulty value cannot do without, so that hardly any value has to be walked: the name `__proto__`, possibly
 * with escaped letters, and for a number that overflows an exponent of three digits or 200 digits in a row.
 */
const MAY_BE_FAULTY = /__proto__|\\u00[567]|\d[eE]\+?\d{3}|(?<!\d)\d{200}/;
