import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { JSON_CONTENT_TYPE, MERGE_PATCH_CONTENT_TYPE } from '../../src/contract/headers.js';
import { problem, validationProblem } from '../problems/problem.js';

/** Levels of nested arrays and objects; more than any real data has, and few enough for recursive code. */
const MAX_DEPTH = 200;

/** Whether JSON text nests deeper than the limit; one look at each character outside of strings. */
function tooDeep(text: string): boolean {
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

function malformed(message: string) {
  return validationProblem({ body: [message] });
}

/** The message never quotes the text: the parser's own would. */
function parseJson(text: string): unknown {
  if (text === '') throw malformed('is required, JSON');
  if (tooDeep(text)) throw malformed(`must not nest deeper than ${MAX_DEPTH} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('must be valid JSON');
  }
  // Harmless as parsed, and a trap for any code that copies properties one by one.
  if (text.includes('__proto__') && hasProtoKey(value)) throw malformed('must not use the name __proto__');
  // Read back, it would be null.
  if (MAY_OVERFLOW.test(text) && hasInfinity(value))
    throw malformed(`must not hold a number beyond ${Number.MAX_VALUE}`);
  return value;
}

/** Three digits of exponent, or very many of the number: fewer never overflow, and nearly no body has as many. */
const MAY_OVERFLOW = /\d[eE]\+?\d{3}|(?<!\d)\d{200}/;

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

function hasProtoKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey);
}

/** Reads bodies of whatever type as JSON: the type itself was checked before. Operations without a body ignore it. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    // Those that are named are found at once; any other is looked for among them first, every time.
    [JSON_CONTENT_TYPE, MERGE_PATCH_CONTENT_TYPE, '*'],
    { parseAs: 'buffer' },
    (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      if (!request.routeOptions.config.takesBody) return done(null, undefined);
      try {
        // Decoding would put replacement characters into data that nobody could tell from the caller's own.
        if (!isUtf8(bytes)) throw malformed('must be JSON in UTF-8');
        done(null, parseJson(bytes.toString()));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

export function bodyTooLarge(limit: number) {
  return problem('bodyTooLarge', `The body must be at most ${limit} bytes.`);
}
