import { validateHeaderName, validateHeaderValue } from 'node:http';
import { JSON_CONTENT_TYPE } from '../../../src/contract/headers.js';
import { isObject, type Json } from '../../../src/contract/json.js';
import { LIMITS } from '../../../src/contract/limits.js';
import type { ProxyRecord, ReactorRecord } from '../../store/records.js';
import type { Call, Context } from '../context.js';
import { type Direction, transformId } from '../proxy-record.js';
import { runtimeProblem } from '../reactors/failure.js';
import { runCode } from '../reactors/run-reactor.js';
import type { OutgoingRequest } from './detokenize-request.js';
import type { ProxyResponse } from './message.js';

/** Runs the request transform over the detokenized request; without one, returns the request. @throws ProblemError */
export async function transformRequest(
  proxy: ProxyRecord,
  request: OutgoingRequest,
  call: Call,
  context: Context,
): Promise<OutgoingRequest> {
  const code = proxy.request_transform?.code;
  if (code === undefined) return request;
  const { method, path, query, headers, body } = request;
  const args = { method, path, query: query && `?${query}`, ...toArguments(headers, body) };
  const result = await run(proxy, 'request', code, args, call, context);
  return {
    method: textOf(result.method, method),
    path: textOf(result.path, path),
    query: textOf(result.query, query).replace(/^\?/, ''),
    ...fromResult(result, headers, body),
  };
}

/** Runs the response transform over a response of the destination. @throws ProblemError */
export async function transformResponse(
  proxy: ProxyRecord,
  response: ProxyResponse,
  call: Call,
  context: Context,
): Promise<ProxyResponse> {
  const code = proxy.response_transform?.code;
  if (code === undefined) return response;
  const { status, headers, body } = response;
  const args = { status, ...toArguments(headers, body) };
  const result = await run(proxy, 'response', code, args, call, context);
  return { status, ...fromResult(result, headers, body) };
}

async function run(
  proxy: ProxyRecord,
  direction: Direction,
  code: string,
  args: Json,
  call: Call,
  context: Context,
): Promise<Record<string, Json>> {
  const { tenant_id, name: proxyName, configuration, application, created_at } = proxy;
  const id = transformId(proxy, direction);
  const name = `${proxyName} (${direction} transform)`;
  const own = { id, tenant_id, name, code, configuration, created_at };
  const reactor: ReactorRecord = { ...own, ...(application && { application }) };
  const invocation = call.record.beginInvocation(reactor, call.depth, context.clock);
  return invocation.finish(async () => {
    const timeoutMs = LIMITS.syncTimeoutMs;
    const value = await runCode({ reactor, args, call, invocation, timeoutMs }, context);
    if (isObject(value)) return value;
    throw runtimeProblem('A transform must return an object with `body`, `headers`, or both.');
  });
}

type Headers = readonly (readonly [string, string])[];

/** A JSON body is passed as its value, any other as text. */
function toArguments(headers: Headers, body: Buffer): { headers: Record<string, string>; body: Json } {
  return { headers: Object.fromEntries(headers), body: parse(body.toString()) };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function textOf(value: Json | undefined, before: string): string {
  return typeof value === 'string' ? value : before;
}

/** What the transform leaves out stays; among headers that it replaces, the type of a body that it does not replace by JSON. */
function fromResult(
  { headers, body }: Record<string, Json>,
  headersBefore: Headers,
  bodyBefore: Buffer,
): { headers: [string, string][]; body: Buffer } {
  const after: Headers = isObject(headers)
    ? Object.entries(headers).map(([name, value]) => checkedHeader(name, value))
    : headersBefore;
  const isJson = body !== undefined && typeof body !== 'string';
  const type: Headers = isJson ? [['content-type', JSON_CONTENT_TYPE]] : headersBefore.filter(isContentType);
  return {
    headers: [...after, ...(after.some(isContentType) ? [] : type)].map(([name, value]) => [name, value]),
    body: body === undefined ? bodyBefore : Buffer.from(isJson ? JSON.stringify(body) : body),
  };
}

function isContentType([name]: Headers[number]): boolean {
  return name.toLowerCase() === 'content-type';
}

function checkedHeader(name: string, value: Json): [string, string] {
  const text = String(value);
  try {
    validateHeaderName(name);
    validateHeaderValue(name, text);
    return [name, text];
  } catch {
    throw runtimeProblem('A transform returned a header that is not valid.');
  }
}
