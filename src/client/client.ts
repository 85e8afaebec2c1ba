import { setTimeout as sleep } from 'node:timers/promises';
import { headerNames } from '../contract/headers.js';
import type { OperationRow } from '../contract/operation-row.js';
import { type OperationId, operationRow } from '../contract/operations.js';
import { isProxied } from '../contract/proxies.js';
import type { TypedBody } from '../contract/schemas/index.js';
import { type Connection, connectOverHttp } from './connection.js';
import { ConnectionError, TimeoutError } from './errors.js';
import type { ReactorArguments, ReactorName, ReactorResult } from './reactor-types.js';
import {
  buildRequest,
  type CallArguments,
  type ClientOptions,
  type RawRequest,
  type RequestOptions,
  type Retry,
} from './request.js';
import { assertShape, type ClientResponse, parseResponse, toServiceError } from './response.js';
import { isRateLimit, RetryBudget } from './retry.js';
import type { TransportResponse } from './transport.js';

export interface Client {
  /** Calls an operation, returns the body. @throws {ServiceError | ConnectionError | TimeoutError | ProtocolError} */
  call<Id extends OperationId>(id: Id, ...input: CallArguments<Id>): Promise<TypedBody<Id>>;
  /** Invokes a reactor by name, typed by `tokenctl reactor types`; needs `reactor:read` and `token:use`. */
  react<Name extends ReactorName>(name: Name, args: ReactorArguments<Name>): Promise<ReactorResult<Name>>;
  /** Calls an operation and returns status, headers and body of the response. Throws like `call`. */
  send<Id extends OperationId>(id: Id, ...input: CallArguments<Id>): Promise<ClientResponse>;
  /** Sends a request that is no operation. Throws like `call`, but returns any response of the destination of a proxy. */
  request(request: RawRequest): Promise<ClientResponse>;
  /** Connects unless it has been done, and returns where requests go. */
  connection(): Promise<Connection>;
  close(): Promise<void>;
}

const WRITES = new Set(['POST', 'PUT', 'PATCH']);

/** Operations that change nothing although they are sent with POST. */
const READING_POSTS: ReadonlySet<string> = new Set(
  (['tokens.search', 'tokens.searchByCursor', 'detokenize'] as const).map((id) => operationRow(id).path),
);

/** Whether a request can change something on the service. */
export const canWrite = ({ method, path }: Pick<RawRequest, 'method' | 'path'>): boolean =>
  method !== 'GET' && !(method === 'POST' && READING_POSTS.has(path.replace(/\?.*/s, '')));

const DEFAULT_TIMEOUT_MS = 60_000;

function requestHeaders(
  { permission, idempotencyKey, background, headers }: RawRequest,
  { headerPrefix, apiKey }: Connection,
  userAgent: string | undefined,
): Record<string, string> {
  const names = headerNames(headerPrefix);
  const key = apiKey(permission);
  return {
    accept: 'application/json',
    ...(userAgent && { 'user-agent': userAgent }),
    ...(key && { [names.apiKey]: key }),
    ...(idempotencyKey && { [names.idempotencyKey]: idempotencyKey }),
    ...(background && { [names.background]: 'true' }),
    ...headers,
  };
}

/** Sends a request once. @returns the response, whatever its status, or the error of a connection that broke @throws {TimeoutError} */
export async function sendOnce(
  request: RawRequest,
  connection: Connection,
  { userAgent, ...options }: RequestOptions,
  interrupted: AbortSignal,
): Promise<TransportResponse | ConnectionError> {
  const { transport } = connection;
  const { method, path, body } = request;
  const headers = requestHeaders(request, connection, userAgent);
  const timeoutMs = request.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([interrupted, timeout]);
  try {
    return await transport.send({ method, path, headers, body, signal });
  } catch (error) {
    interrupted.throwIfAborted();
    if (timeout.aborted) throw new TimeoutError(transport.url, timeoutMs, transport.proxy);
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string') throw error;
    return new ConnectionError(transport.url, code, error, transport.proxy);
  }
}

/**
 * Creates a client of the service. It repeats requests that failed for a passing reason (cli.md, Failure), and sends an
 * idempotency key with every write, so that none is carried out twice.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://api.example.com', apiKey: 'key_…' });
 * const token = await client.call('tokens.create', { body: { type: 'token', data: 'secret' } });
 */
export function createClient(options: ClientOptions): Client {
  const { random = Math.random, onAttempt = () => {}, hooks = {} } = options;
  const interrupted = options.signal ?? new AbortController().signal;
  const now = () => process.uptime() * 1000;
  /** Until when a rate limit holds back every request. */
  let resumeAt = 0;
  let connected: Promise<Connection> | undefined;
  let isClosed = false;

  function connection(): Promise<Connection> {
    connected ??= 'connect' in options ? options.connect() : connectOverHttp(options);
    return connected;
  }

  /** Sends a request once. @returns the successful response, or the error that may be worth a retry */
  async function attempt(request: RawRequest, target: Connection, budget: RetryBudget) {
    interrupted.throwIfAborted();
    if (isClosed) throw new Error('The client is closed. Create another one.');
    const { url, proxy } = target.transport;
    const { traceId: traceHeader, proxyDestinationStatus } = headerNames(target.headerPrefix);
    const start = now();
    const signal = request.uninterrupted ? new AbortController().signal : interrupted;
    const result = await sendOnce(request, target, options, signal);
    const path = request.path.replace(/\?.*/s, '');
    const report = { method: request.method, url: url + path, durationMs: now() - start };
    if (!(result instanceof ConnectionError)) {
      const { status, headers } = result;
      const isRelayed = headers[proxyDestinationStatus.toLowerCase()] !== undefined;
      if (isRelayed || (status >= 200 && status < 300)) {
        const { deprecation, sunset } = headers;
        const traceId = headers[traceHeader.toLowerCase()];
        onAttempt({ ...report, status, traceId, ...(deprecation && { sunset }) });
        return { response: parseResponse(result, url, isRelayed) };
      }
    }
    const error =
      result instanceof ConnectionError ? result : toServiceError(result, traceHeader, Date.now(), proxy);
    // The destination may have got a request through a proxy, and no idempotency key protects it.
    const mayRepeat = !isProxied(request.path) || isRateLimit(error);
    const retryInMs = mayRepeat ? budget.take(error) : undefined;
    const isConnection = error instanceof ConnectionError;
    const outcome = isConnection ? { status: error.code } : { status: error.status, traceId: error.traceId };
    onAttempt({ ...report, ...outcome, retryInMs });
    return { error, delayMs: retryInMs };
  }

  async function waitUntil(time: () => number): Promise<void> {
    for (let left = time() - now(); left > 0; left = time() - now())
      await sleep(left, undefined, { signal: interrupted }).catch(() => interrupted.throwIfAborted());
  }

  async function pause(retry: Retry): Promise<void> {
    const end = now() + retry.delayMs;
    if (isRateLimit(retry.error)) {
      hooks.onRateLimited?.(retry);
      if (options.rateLimitRetries !== undefined) resumeAt = Math.max(resumeAt, end);
    }
    await waitUntil(() => Math.max(end, resumeAt));
    await hooks.beforeRetry?.(retry);
  }

  async function request(raw: RawRequest): Promise<ClientResponse> {
    const target = await connection();
    if (canWrite(raw)) await target.beforeWrite?.();
    const isWrite = WRITES.has(raw.method);
    const idempotencyKey = isWrite ? (raw.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const request = { ...raw, idempotencyKey };
    const budget = new RetryBudget(options, random);
    await waitUntil(() => resumeAt);
    for (;;) {
      const { response, error, delayMs } = await attempt(request, target, budget);
      if (response) return response;
      if (delayMs === undefined) throw error;
      await pause({ request, error, retryCount: budget.used, delayMs });
      if (!isRateLimit(error)) await raw.beforeRetry?.();
    }
  }

  async function send<Id extends OperationId>(id: Id, ...[input]: CallArguments<Id>) {
    const row: OperationRow | undefined = operationRow(id);
    // The compiler rules it out, but not every program is compiled.
    if (!row) throw new TypeError(`There is no operation ${JSON.stringify(id)}.`);
    const response = await request(buildRequest(row, input ?? {}));
    assertShape(row, response, (await connection()).transport.url);
    return response;
  }

  const client: Client = {
    request,
    send,
    connection,
    async react(name, args) {
      const { data } = await client.call('reactors.list', { query: { name, size: 100 } });
      const reactor = data.find((one) => one.name === name);
      if (!reactor) throw new Error(`There is no reactor ${JSON.stringify(name)}.`);
      const response = await client.call('reactors.react', { path: { id: reactor.id }, body: { args } });
      return response as ReactorResult<typeof name>;
    },
    // The contract says what the service responds; checking more than its shape would cost a second parse of it.
    call: async <Id extends OperationId>(id: Id, ...input: CallArguments<Id>) =>
      (await send(id, ...input)).body as TypedBody<Id>,
    async close() {
      isClosed = true;
      await (await connected?.catch(() => undefined))?.transport.close();
    },
  };
  return client;
}

/** Returns a client whose requests are marked as the CLI's own, such as lookups of names for a table. */
export function inBackground(client: Client): Client {
  const background = true;
  return {
    ...client,
    request: (request) => client.request({ ...request, background }),
    send: (id, ...[input]) => client.send(id, { ...input, background } as never),
    call: (id, ...[input]) => client.call(id, { ...input, background } as never),
  };
}
