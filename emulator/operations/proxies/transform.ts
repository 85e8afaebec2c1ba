import { JSON_CONTENT_TYPE } from '../../../src/contract/headers.js';
import { isObject, type Json } from '../../../src/contract/json.js';
import { BODY_BOUNDS, findTextFault, JSON_FAULT_MESSAGES } from '../../lib/json-bounds.js';
import type { ProxyRecord, ReactorRecord } from '../../store/records.js';
import type { Call, Context } from '../context.js';
import { type Direction, transformId } from '../proxy-record.js';
import { eventResponse, isValidHeader, runtimeProblem } from '../reactors/failure.js';
import { runCode, takesEvent } from '../reactors/run-reactor.js';
import type { OutgoingRequest } from './detokenize-request.js';
import type { ProxyResponse } from './message.js';

export type Message = OutgoingRequest | ProxyResponse;

/** What the transforms of one message share. */
export interface Transformation {
  proxy: ProxyRecord;
  call: Call;
  context: Context;
  /** When all of their code must have run, by `performance.now()`. */
  endsAt: number;
}

type TransformCode = Pick<ReactorRecord, 'code' | 'configuration' | 'runtime'>;

/** Runs code over a message. What it leaves out stays. @throws ProblemError, also if the code answers the request */
export async function runOver<M extends Message>(
  message: M,
  direction: Direction,
  code: TransformCode,
  transformation: Transformation,
): Promise<M> {
  const { headers, body } = message;
  const shared = { headers: Object.fromEntries(headers), body: parseBody(body) };
  if (!('method' in message)) {
    const { status } = message;
    const args = { [takesEvent(code) ? 'statusCode' : 'status']: status, ...shared };
    const changes = await changesOf('res', direction, code, args, transformation);
    return { ...message, ...fromResult(changes, headers, body) };
  }
  const { method, path, query } = message;
  const args = { method, path, query: query && `?${query}`, ...shared };
  const changes = await changesOf('req', direction, code, args, transformation);
  return {
    ...message,
    method: textOf(changes.method, method),
    path: textOf(changes.path, path),
    query: textOf(changes.query, query).replace(/^\?/, ''),
    ...fromResult(changes, headers, body),
  };
}

/** Returns what code changes of a message, which is a part of its event, and of what it returns, by the newer contract. */
async function changesOf(
  part: 'req' | 'res',
  direction: Direction,
  code: TransformCode,
  args: Json,
  transformation: Transformation,
): Promise<Record<string, Json>> {
  const isEvent = takesEvent(code);
  const result = await runCodeOf(direction, code, isEvent ? { [part]: args } : args, transformation);
  if (part === 'req' && isObject(result.res)) throw eventResponse(result, transformation.context.headers);
  const changes = isEvent ? result[part] : result;
  return isObject(changes) ? changes : {};
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
function fromResult({ headers, body }: Record<string, Json>, headersBefore: Headers, bodyBefore: Buffer) {
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

const isContentType = ([name]: Headers[number]): boolean => name.toLowerCase() === 'content-type';

export function checkedHeader(name: string, value: Json): [string, string] {
  const text = String(value);
  if (isValidHeader(name, text)) return [name, text];
  throw runtimeProblem('A transform returned a header that is not valid.');
}
