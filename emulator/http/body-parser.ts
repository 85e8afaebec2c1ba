import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { problem, validationProblem } from '../problems/problem.js';

/** Levels of nested arrays and objects: more than any real data has, and few enough for recursive code. */
const MAX_DEPTH = 200;

export type BodyParser = (request: FastifyRequest, bytes: Buffer) => unknown;

/**
 * Parses a body as JSON, whatever its type: that was checked before the body was read. The body of an operation that
 * takes none is ignored.
 * @throws ProblemError 400
 */
export const parseBody: BodyParser = (request, bytes) => {
  if (!request.routeOptions.config.takesBody) return undefined;
  // Decoding would put replacement characters into data that nobody could tell from the caller's own.
  if (!isUtf8(bytes)) throw malformed('must be JSON in UTF-8');
  return parseJson(bytes.toString());
};

export function bodyTooLarge(limit: number) {
  return problem('bodyTooLarge', `The body must be at most ${limit} bytes.`);
}

/** The message never quotes the text, as the message of JSON.parse would. */
function parseJson(text: string): unknown {
  if (text === '') throw malformed('is required, JSON');
  if (isTooDeep(text)) throw malformed(`must not nest deeper than ${MAX_DEPTH} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('must be valid JSON');
  }
  // Harmless as parsed, but a trap for any code that copies properties one by one.
  if (text.includes('__proto__') && hasProtoKey(value)) throw malformed('must not use the name __proto__');
  // Written as JSON again, Infinity would become null.
  if (MAY_OVERFLOW.test(text) && hasInfinity(value))
    throw malformed(`must not hold a number beyond ${Number.MAX_VALUE}`);
  return value;
}

function malformed(message: string) {
  return validationProblem({ body: [message] });
}

/** Scans the text before it is parsed, because parsing deep nesting could overflow the stack. */
function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/** A three-digit exponent or 200 digits in a row. A number with fewer cannot overflow, and hardly any body has one. */
const MAY_OVERFLOW = /\d[eE]\+?\d{3}|(?<!\d)\d{200}/;

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

function hasProtoKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey);
}
