import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';
import { describeCause, internalErrorMessage } from '../../lib/logger.js';
import type { ConsoleEntry } from '../invocation.js';
import type { HttpRequest, HttpResponse } from '../network/http-client.js';
import type { NetworkPolicy } from '../network/policy.js';
import { type RequestReport, reportRequest } from '../network/request-report.js';
import { VisibleError } from '../outcome.js';
import type { CallResponse, CallResult, MessageFromWorker, RunMessage, WorkerOptions } from '../protocol.js';
import { checkRequest, findSvcFault, MessageLimits } from './message-limits.js';

/** Number of the last call to the main thread. Never reset, so that a late response cannot match a later call. */
let lastCall = 0;

/** Asynchronous services of the worker for one invocation, within the limits of the sandbox. They end with it. */
export class HostServices {
  /** Time by which the invocation must have ended, on the scale of `performance.now()`. */
  readonly deadline: number;
  readonly network: NetworkPolicy;
  readonly #traceId: string;
  #post: (message: MessageFromWorker) => void;
  readonly #svcLimit: LimitFunction;
  readonly #fetchLimit: LimitFunction;
  /** Calls to the main thread, by their numbers. */
  readonly #pending = new Map<number, (response: never) => void>();
  readonly #messageLimits: MessageLimits;
  #fetchCount = 0;

  constructor(
    { timeoutMs, traceId, network }: Pick<RunMessage, 'timeoutMs' | 'traceId' | 'network'>,
    private readonly options: WorkerOptions,
    post: (message: MessageFromWorker) => void,
  ) {
    this.deadline = performance.now() + timeoutMs;
    this.network = network ?? options.network;
    this.#traceId = traceId;
    this.#post = post;
    this.#messageLimits = new MessageLimits(options.limits);
    this.#svcLimit = pLimit(options.limits.concurrentSvcCalls);
    this.#fetchLimit = pLimit(options.limits.concurrentFetches);
  }

  /** Stops sending messages, which the main thread would attribute to the next invocation. */
  end(): void {
    this.#post = () => {};
  }

  console(level: ConsoleEntry['level'], message: string): void {
    const entry = this.#messageLimits.consoleEntry({ level, message });
    if (entry) this.#post({ type: 'console', ...entry });
  }

  /** Calls a method of `svc` on the main thread. @throws VisibleError if too many calls are waiting */
  async svc(method: string, params: string): Promise<CallResult<string>> {
    if (this.#svcLimit.pendingCount >= this.options.limits.pendingSvcCalls)
      throw new VisibleError('Too many svc calls are waiting.');
    const failure = findSvcFault(method, params, this.options.limits);
    if (failure) return { failure };
    return this.#svcLimit(() => this.#ask<string>((call) => ({ type: 'svc', call, method, params })));
  }

  /** Resolves the pending call with the same number. A response to an earlier invocation is ignored. */
  receive(response: CallResponse): void {
    this.#pending.get(response.call)?.(response as never);
    this.#pending.delete(response.call);
  }

  /** Sends a request under the network policy and reports it. @throws VisibleError if there is no response */
  async fetch(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const { fetches, fetchBodyBytes } = this.options.limits;
    if (++this.#fetchCount > fetches)
      throw new VisibleError(`More than ${fetches} requests in one invocation.`, 'RangeError');
    checkRequest(request, this.options.limits);
    const { network: policy } = this;
    const { fetchesOnHost } = this.options;
    const send = async () => {
      if (fetchesOnHost) return this.#fetchOnHost(request, signal);
      // Loads the HTTP client of Node.js, which most instances never need.
      const { followRedirects } = await import('../network/redirects.js');
      return followRedirects(request, { policy, maxBodyBytes: fetchBodyBytes, signal });
    };
    return this.#fetchLimit(() => reportRequest(request, send, (report) => this.report(report)));
  }

  async #fetchOnHost(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const aborted = new Promise<never>((_, reject) => {
      const abort = () => reject(new VisibleError('The operation was aborted.', 'AbortError', 'ABORT_ERR'));
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
    });
    const response = this.#ask<HttpResponse>((call) => ({ type: 'fetch', call, request }));
    const result = await Promise.race([response, aborted]);
    if ('value' in result) return result.value;
    const { message, name, code } = result.failure;
    throw new VisibleError(message, name, code);
  }

  /** Reports a request. That of `fetch` is reported already. */
  report(request: RequestReport): void {
    const cut = this.#messageLimits.report(request);
    if (cut) this.#post({ type: 'request', request: cut });
  }

  /** Replaces an unexpected error, which may describe the host, by one that says where to look, and logs it on the main thread. */
  hideError(error: unknown): VisibleError {
    if (error instanceof VisibleError) return error;
    if (this.#messageLimits.mayLogError()) this.#post({ type: 'host-error', cause: describeCause(error) });
    return new VisibleError(internalErrorMessage(this.#traceId));
  }

  #ask<Value extends string | HttpResponse>(create: (call: number) => MessageFromWorker) {
    const call = ++lastCall;
    const response = new Promise<CallResult<Value>>((resolve) => this.#pending.set(call, resolve));
    this.#post(create(call));
    return response;
  }
}
