import { isUtf8 } from 'node:buffer';
import type { Json } from '../../../src/contract/json.js';
import { LIMITS } from '../../../src/contract/limits.js';
import { ExpressionFailure, RequestBudget, renderText, splitExpressions } from '../../expressions/index.js';
import { problem, validationProblem } from '../../problems/problem.js';
import type { Call } from '../context.js';
import { isValidHeader } from '../reactors/failure.js';
import { detokenizePayload, rethrowAsProblem } from '../tokenize/detokenize.js';
import type { AccessServices } from '../tokens/record-access.js';
import type { ProxyRequest } from './message.js';

/** The parts of a request that go to the destination. */
export type OutgoingRequest = Pick<ProxyRequest, 'method' | 'path' | 'query' | 'headers' | 'body'>;

/** The variable `proxy` of an expression, which reads the request: its value follows when tokens have been replaced. */
const READS_REQUEST = /\{\{\s*proxy\s*[.|]/;

/**
 * Replaces the expressions in path, query, headers and body by raw token data. Together they are one detokenization: at most 100
 * tokens, all of them checked before any is used.
 * @param configuration that of a configured proxy, which expressions may read: `{{ config: NAME }}`
 * @throws ProblemError 400, 403, and 413 when the body becomes too large
 */
export async function detokenizeRequest(
  request: OutgoingRequest,
  call: Call,
  services: AccessServices,
  configuration?: Record<string, string>,
): Promise<OutgoingRequest> {
  if (configuration === undefined) return replaceReferences(request, call, services);
  const later = request.headers.filter(([, value]) => READS_REQUEST.test(value));
  const now = request.headers.filter((header) => !later.includes(header));
  const replaced = await replaceReferences({ ...request, headers: now }, call, services, configuration);
  if (later.length === 0) return replaced;
  const scope = { proxy: { request: readableRequest(replaced), config: configuration } };
  const budget = new RequestBudget(services.clock.now(), call.tenant.id);
  const headers = later.map(async ([name, value]): Promise<[string, string]> => {
    const evaluated = await rethrowAsProblem(() => budget.evaluate(value, scope, `headers.${name}`));
    return [name, headerValue(name, [renderText(evaluated)])];
  });
  return { ...replaced, headers: [...replaced.headers, ...(await Promise.all(headers))] };
}

/** Clients may send `X-Date` as `x-date`; expressions read it by either. */
function readableRequest({ method, path, query, headers, body }: OutgoingRequest) {
  const named = headers.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const canonical = lower.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
    return [lower, canonical, name].map((one) => [one, value]);
  });
  return { method, path, query, headers: Object.fromEntries(named), body: body.toString() };
}

async function replaceReferences(
  request: OutgoingRequest,
  call: Call,
  services: AccessServices,
  configuration?: Record<string, string>,
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
  const detokenized = await detokenizePayload(payload, '', call, services, configuration);
  const replaced = detokenized as Record<keyof typeof payload, Json>;
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
  if (isValidHeader(name, text)) return text;
  throw validationProblem({
    [`headers.${name}`]: ['must not contain line breaks or control characters when detokenized'],
  });
}

/** How expressions are found in a text and their values written into it. */
interface TextFormat {
  /** Splits the text into what detokenization replaces. @throws ExpressionFailure if an expression has no end */
  parse(text: string): Json;
  build(value: Json): string;
}

const json: TextFormat = {
  parse(text) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      // The message of JSON.parse would quote the text.
      throw validationProblem({ body: ['must be valid JSON, as its Content-Type says'] });
    }
  },
  build: (value) => JSON.stringify(value),
};

/** Literal text and expressions alternate. */
const splitText = (quote: (value: string) => string): TextFormat => ({
  parse: splitExpressions,
  build: (value) =>
    (value as Json[])
      .map((part, index) => (index % 2 === 1 ? quote(renderText(part)) : String(part)))
      .join(''),
});

const text = splitText((value) => value);

const XML_ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const xml = splitText((value) =>
  value.replace(/[&<>"']/g, (character) => XML_ENTITIES[character] ?? character),
);

/** Percent-encoded texts between separators. Those without an expression stay as they are. */
const encoded = (separator: RegExp, space: string): TextFormat => ({
  parse: (value) =>
    value.split(separator).map((part) => {
      const decoded = decode(part.replaceAll(space, '%20'));
      return decoded.includes('{{') ? splitExpressions(decoded) : part;
    }),
  build: (value) =>
    (value as Json[])
      .map((part) => (Array.isArray(part) ? encodeURIComponent(part.map(renderText).join('')) : String(part)))
      .join(''),
});

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The segments of a path. */
const pathFormat = encoded(/(\/)/, '%20');
/** The names and values of a query or a form. */
const queryFormat = encoded(/([&=])/, '+');
const headerFormat = text;

/** Returns the format of a body; undefined for one that is forwarded as it is, without expressions. */
function bodyFormat(body: Buffer, contentType: string): TextFormat | undefined {
  if (!body.includes('{{') && !body.includes('%7B%7B') && !body.includes('%7b%7b')) return undefined;
  if (!isUtf8(body)) return undefined;
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^application\/(.*\+)?json$/.test(type)) return json;
  if (type === 'application/x-www-form-urlencoded') return queryFormat;
  if (/[/+]xml$/.test(type)) return xml;
  return type === '' || type.startsWith('text/') ? text : undefined;
}
