import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_HEADER_PREFIX, headerNames } from '../contract/headers.js';
import { type OperationId, operationRow } from '../contract/operations.js';
import type { Permission } from '../contract/permissions.js';
import type { OperationBody } from '../contract/schemas/index.js';
import { ConnectionError, ServiceError, TimeoutError } from './errors.js';
import { buildRequest, type CallInput, type RawRequest } from './request.js';
import { type Answer, toAnswer, toServiceError } from './response.js';
import { isRetryable, RETRIES, retryDelay } from './retry.js';
import type { Transport, TransportResponse } from './transport.js';

/** Where requests go, and with which key. */
export interface Connection {
  transport: Transport;
  headerPrefix?: string | undefined;
  /** The key for an operation that needs this permission; undefined sends none. */
  apiKey: (permission: Permission | null) => string | undefined;
}

/** One attempt, as `--debug` shows it: no header, no body. */
export interface Attempt {
  method: string;
  url: string;
  /** Or the code of the error that came instead. */
  status: number | string;
  durationMs: number;
  traceId?: string | undefined;
  /** Milliseconds until it is tried again. */
  retryInMs?: number | undefined;
}

export interface ClientOptions {
  /** Called once, before the first request. */
  connect: () => Promise<Connection>;
  /** Milliseconds for one attempt, 60,000 by default. */
  timeoutMs?: number | undefined;
  /** Tries after the first, 3 by default. */
  retries?: number | undefined;
  /** Ends whatever is under way. */
  signal?: AbortSignal | undefined;
  userAgent?: string | undefined;
  onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** From 0 to 1, for the jitter. */
  random?: (() => number) | undefined;
}

export interface Client {
  /**
   * Calls an operation and gives the body of its answer.
   * @throws {ServiceError | ConnectionError | TimeoutError | ProtocolError}
   */
  call<Id extends OperationId>(id: Id, input: CallInput<Id>): Promise<OperationBody<Id>>;
  /** The same with status and headers. */
  answer<Id extends OperationId>(id: Id, input: CallInput<Id>): Promise<Answer>;
  /** A request that is in no table. */
  request(request: RawRequest): Promise<Answer>;
  connection(): Promise<Connection>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const WRITES = new Set(['POST', 'PUT', 'PATCH']);

/** A client of the service. Repeats what may be repeated; sends an idempotency key with every write. */
export function createClient(options: ClientOptions): Client {
  const { retries = RETRIES, random = Math.random, onAttempt = () => {} } = options;
  const interrupted = options.signal ?? new AbortController().signal;
  let connected: Promise<Connection> | undefined;

  function connection(): Promise<Connection> {
    connected ??= options.connect();
    return connected;
  }

  function headersOf(request: RawRequest, { headerPrefix, apiKey }: Connection): Record<string, string> {
    const names = headerNames(headerPrefix);
    const key = apiKey(request.permission);
    const idempotencyKey = WRITES.has(request.method)
      ? (request.idempotencyKey ?? crypto.randomUUID())
      : undefined;
    return {
      accept: 'application/json',
      ...(options.userAgent && { 'user-agent': options.userAgent }),
      ...(key && { [names.apiKey]: key }),
      ...(idempotencyKey && { [names.idempotencyKey]: idempotencyKey }),
      ...request.headers,
    };
  }

  /** One attempt: an answer of any status, or the error that came instead. */
  async function attempt(
    request: RawRequest,
    transport: Transport,
    headers: Record<string, string>,
  ): Promise<TransportResponse | ConnectionError> {
    const timeoutMs = request.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timeout = AbortSignal.timeout(timeoutMs);
    const { method, path, body } = request;
    try {
      return await transport.send({
        method,
        path,
        headers,
        body,
        signal: AbortSignal.any([interrupted, timeout]),
      });
    } catch (error) {
      interrupted.throwIfAborted();
      if (timeout.aborted) throw new TimeoutError(transport.url, timeoutMs);
      const { code } = error as NodeJS.ErrnoException;
      if (typeof code !== 'string') throw error;
      return new ConnectionError(transport.url, code, error);
    }
  }

  async function request(raw: RawRequest): Promise<Answer> {
    const { transport, ...rest } = await connection();
    const headers = headersOf(raw, { transport, ...rest });
    const { traceId, idempotencyKey } = headerNames(rest.headerPrefix ?? DEFAULT_HEADER_PREFIX);
    for (let tries = 0; ; tries++) {
      interrupted.throwIfAborted();
      const start = performance.now();
      const result = await attempt(raw, transport, headers);
      const report = {
        method: raw.method,
        url: transport.url + raw.path.replace(/\?.*/s, ''),
        durationMs: performance.now() - start,
      };
      if (!(result instanceof ConnectionError) && result.status >= 200 && result.status < 300) {
        onAttempt({ ...report, status: result.status, traceId: result.headers[traceId.toLowerCase()] });
        return toAnswer(result, transport.url);
      }
      const error = result instanceof ConnectionError ? result : toServiceError(result, traceId, Date.now());
      const outcome =
        error instanceof ServiceError ? { ...error.problem, status: error.status } : { code: error.code };
      const again = tries < retries && isRetryable(outcome, raw.method, idempotencyKey in headers);
      const retryInMs = again
        ? retryDelay(tries, error instanceof ServiceError ? error.retryAfter : undefined, random)
        : undefined;
      onAttempt({
        ...report,
        status: error instanceof ServiceError ? error.status : error.code,
        traceId: error instanceof ServiceError ? error.traceId : undefined,
        retryInMs,
      });
      if (retryInMs === undefined) throw error;
      await sleep(retryInMs, undefined, { signal: interrupted }).catch(() => interrupted.throwIfAborted());
    }
  }

  function answer<Id extends OperationId>(id: Id, input: CallInput<Id>): Promise<Answer> {
    return request(buildRequest(operationRow(id), input));
  }

  return {
    request,
    answer,
    connection,
    call: async <Id extends OperationId>(id: Id, input: CallInput<Id>) =>
      (await answer(id, input)).body as OperationBody<Id>,
    close: async () => (await connected?.catch(() => undefined))?.transport.close(),
  };
}
