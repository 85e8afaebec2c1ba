import { validateHeaderValue } from 'node:http';
import type { Json } from '../../../src/contract/json.js';
import { LIMITS } from '../../../src/contract/limits.js';
import { ExpressionFailure } from '../../expressions/index.js';
import { problem, validationProblem } from '../../problems/problem.js';
import type { Call } from '../call.js';
import { detokenizePayload } from '../tokenize/detokenize.js';
import type { AccessServices } from '../tokens/record-access.js';
import { bodyFormat, headerFormat, pathFormat, queryFormat, type TextFormat } from './body-format.js';
import type { ProxyRequest } from './message.js';

/** The parts of a request that go to the destination. */
export type OutgoingRequest = Pick<ProxyRequest, 'method' | 'path' | 'query' | 'headers' | 'body'>;

/**
 * Replaces the expressions in path, query, headers and body by raw token data. Together they are one detokenization: at most 100
 * tokens, all of them checked before any is used.
 * @throws ProblemError 400, 403, and 413 when the body becomes too large
 */
export async function detokenizeRequest(
  request: OutgoingRequest,
  call: Call,
  services: AccessServices,
): Promise<OutgoingRequest> {
  const { method, path, query, headers, body } = request;
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const format = bodyFormat(body, type);
  const payload = {
    path: parseWith(pathFormat, path, 'path'),
    query: parseWith(queryFormat, query, 'query'),
    headers: headers.map(([name, value]) => parseWith(headerFormat, value, `headers.${name}`)),
    ...(format && { body: parseWith(format, body.toString(), 'body') }),
  };
  if (!JSON.stringify(payload).includes('{{')) return request;
  const replaced = (await detokenizePayload(payload, '', call, services)) as Record<
    keyof typeof payload,
    Json
  >;
  const newBody = format ? Buffer.from(format.build(replaced.body ?? null)) : body;
  if (newBody.length > LIMITS.bodyBytes)
    throw problem('bodyTooLarge', `The body must be at most ${LIMITS.bodyBytes} bytes when detokenized.`);
  const values = replaced.headers as Json[];
  return {
    method,
    path: pathFormat.build(replaced.path),
    query: queryFormat.build(replaced.query),
    headers: headers.map(([name], index) => [name, headerValue(name, values[index] ?? '')]),
    body: newBody,
  };
}

function parseWith(format: TextFormat, text: string, field: string): Json {
  try {
    return format.parse(text);
  } catch (error) {
    if (error instanceof ExpressionFailure) throw validationProblem({ [field]: [error.message] });
    throw error;
  }
}

function headerValue(name: string, value: Json): string {
  const text = headerFormat.build(value);
  try {
    validateHeaderValue(name, text);
    return text;
  } catch {
    throw validationProblem({
      [`headers.${name}`]: ['must not contain line breaks or control characters when detokenized'],
    });
  }
}
