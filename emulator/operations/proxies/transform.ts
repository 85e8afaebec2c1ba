import { JSON_CONTENT_TYPE } from '../../../src/contract/headers.js';
import { isObject, type Json } from '../../../src/contract/json.js';
import { BODY_BOUNDS, findTextFault, JSON_FAULT_MESSAGES } from '../../lib/json-bounds.js';
import type { ProxyRecord, ReactorRecord } from '../../store/records.js';
import type { Call, Context } from '../context.js';
import { type Direction, transformId } from '../proxy-record.js';
import { isValidHeader, runtimeProblem } from '../reactors/failure.js';
import { runCode } from '../reactors/run-reactor.js';
import type { OutgoingRequest } from './detokenize-request.js';
import type { ProxyResponse } from './message.js';

/** A request to the destination, or its response. */
export type Message = OutgoingRequest | ProxyResponse;

/** What the transforms of one message share. */
export interface Transformation {
  proxy: ProxyRecord;
  call: Call;
  context: Context;
  /** When all of their code must have run, by `performance.now()`. */
  endsAt: number;
}

/** Code that runs over a message, and the configuration that it gets. */
interface TransformCode {
  code: string;
  configuration: Record<string, string>;
}

/** Runs code over a message. What it leaves out stays. @throws ProblemError */
export async function runOver<M extends Message>(
  message: M,
  direction: Direction,
  code: TransformCode,
  transformation: Transformation,
): Promise<M> {
  const { headers, body } = message;
  const shared = { headers: Object.fromEntries(headers), body: parseBody(body) };
  if (!('method' in message)) {
    const args = { status: message.status, ...shared };
    return {
      ...message,
      ...fromResult(await runCodeOf(direction, code, args, transformation), headers, body),
    };
  }
  const { method, path, query } = message;
  const args = { method, path, query: query && `?${query}`, ...shared };
  const result = await runCodeOf(direction, code, args, transformation);
  return {
    ...message,
    method: textOf(result.method, method),
    path: textOf(result.path, path),
    query: textOf(result.query, query).replace(/^\?/, ''),
    ...fromResult(result, headers, body),
  };
}

/** Runs the code of a transform. @returns the object that it returned @throws ProblemError */
export async function runCodeOf(
  direction: Direction,
  code: TransformCode,
  args: Json,
  { proxy, call, context, endsAt }: Transformation,
): Promise<Record<string, Json>> {
  const reactor = asReactor(proxy, direction, code);
  const invocation = call.record.beginInvocation(reactor, call.depth, context.clock);
  return invocation.finish(async () => {
    const timeoutMs = Math.max(0, Math.round(endsAt - performance.now()));
    const value = await runCode({ reactor, args, call, invocation, timeoutMs }, context);
    if (isObject(value)) return value;
    throw runtimeProblem('A transform must return an object with `body`, `headers`, or both.');
  });
}

/** A transform as a reactor: it acts with the permissions of the proxy's application. */
export function asReactor(proxy: ProxyRecord, direction: Direction, code: TransformCode): ReactorRecord {
  const { tenant_id, name: proxyName, application, created_at } = proxy;
  const id = transformId(proxy, direction);
  const name = `${proxyName} (${direction} transform)`;
  return { ...{ id, tenant_id, name, ...code, created_at }, ...(application && { application }) };
}

type Headers = readonly (readonly [string, string])[];

/** A JSON body is its value, any other its text. @throws ProblemError 500 for JSON with more values or levels than a request may have */
export function parseBody(body: Buffer): Json {
  const text = body.toString();
  const fault = /^\s*[[{]/.test(text) ? findTextFault(text, BODY_BOUNDS) : undefined;
  if (fault) throw runtimeProblem(`The body that a transform reads ${JSON_FAULT_MESSAGES[fault]}.`);
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

export function checkedHeader(name: string, value: Json): [string, string] {
  const text = String(value);
  if (isValidHeader(name, text)) return [name, text];
  throw runtimeProblem('A transform returned a header that is not valid.');
}
