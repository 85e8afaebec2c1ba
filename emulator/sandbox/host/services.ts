import type { ConsoleEntry } from '../invocation.js';
import type { SandboxLimits } from '../limits.js';
import type { NetworkPolicy } from '../network/policy.js';
import { followRedirects, type HttpRequest, type HttpResponse } from '../network/redirects.js';
import { reportRequest } from '../network/request-report.js';
import type { MessageFromWorker, SvcResponse, WorkerOptions } from '../protocol.js';
import type { HostServices } from '../runtime/guest.js';
import { VisibleError } from '../visible-error.js';

/** Of the calls of `svc`, over all invocations of this thread: an answer that comes too late must not find a later call. */
let lastCall = 0;

/** What one invocation may ask of its worker, counted against the limits. */
export class InvocationServices implements HostServices {
  readonly deadline: number;
  readonly #limits: SandboxLimits;
  #post: (message: MessageFromWorker) => void;
  readonly #answers = new Map<number, (answer: SvcResponse) => void>();
  readonly #waiting: (() => void)[] = [];
  readonly #network: NetworkPolicy;
  readonly #waitingFetches: (() => void)[] = [];
  #fetches = 0;
  #fetching = 0;
  #consoleEntries = 0;

  constructor(
    timeoutMs: number,
    { limits, network }: WorkerOptions,
    post: (message: MessageFromWorker) => void,
  ) {
    this.deadline = performance.now() + timeoutMs;
    this.#limits = limits;
    this.#network = network;
    this.#post = post;
  }

  /** From now on nothing is sent: it would be taken for the next invocation's. */
  end(): void {
    this.#post = () => {};
  }

  console(level: ConsoleEntry['level'], message: string): void {
    const { consoleEntries, consoleEntryLength } = this.#limits;
    if (this.#consoleEntries > consoleEntries) return;
    const full = this.#consoleEntries++ === consoleEntries;
    const cut =
      message.length > consoleEntryLength ? `${message.slice(0, consoleEntryLength)}… (cut)` : message;
    this.#post({
      type: 'console',
      level: full ? 'warn' : level,
      message: full ? `Only the first ${consoleEntries} entries of an invocation are kept.` : cut,
    });
  }

  async svc(method: string, params: string): Promise<SvcResponse> {
    const { concurrentSvcCalls, pendingSvcCalls } = this.#limits;
    if (this.#waiting.length >= pendingSvcCalls) throw new VisibleError('Too many calls of svc are waiting.');
    if (this.#answers.size >= concurrentSvcCalls) await new Promise<void>((next) => this.#waiting.push(next));
    const call = ++lastCall;
    const answer = new Promise<SvcResponse>((resolve) => this.#answers.set(call, resolve));
    this.#post({ type: 'svc', call, method, params });
    return answer;
  }

  /** Answers of earlier invocations find nobody. */
  answer(answer: SvcResponse): void {
    const resolve = this.#answers.get(answer.call);
    if (!resolve) return;
    this.#answers.delete(answer.call);
    resolve(answer);
    this.#waiting.shift()?.();
  }

  report(request: Parameters<HostServices['report']>[0]): void {
    this.#post({ type: 'request', request });
  }

  async fetch(call: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const { concurrentFetches, fetches, fetchBodyBytes } = this.#limits;
    if (++this.#fetches > fetches) throw new VisibleError(`More than ${fetches} requests.`, 'RangeError');
    if ((call.body?.byteLength ?? 0) > fetchBodyBytes) {
      throw new VisibleError(`The request is longer than ${fetchBodyBytes} bytes.`, 'RangeError');
    }
    if (this.#fetching >= concurrentFetches)
      await new Promise<void>((next) => this.#waitingFetches.push(next));
    this.#fetching++;
    const send = () => followRedirects(call, { policy: this.#network, maxBodyBytes: fetchBodyBytes, signal });
    try {
      return await reportRequest(call, send, (request) => this.report(request));
    } finally {
      this.#fetching--;
      this.#waitingFetches.shift()?.();
    }
  }
}
