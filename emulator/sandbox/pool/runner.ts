import type { Json } from '../../../src/contract/json.js';
import type { Invocation, LoadRequest } from '../invocation.js';
import type { SandboxLimits } from '../limits.js';
import type { InvocationOutcome, ReactorResult, RuntimeFailure, Timings } from '../outcome.js';
import type { RunMessage } from '../protocol.js';
import { describeFailure } from './failure-messages.js';
import type { RunEnd, WorkerEvent } from './instance.js';
import { LoadErrorCache } from './load-error-cache.js';
import type { Lease, Pool } from './pool.js';
import { respondToSvc } from './svc-responder.js';

type Failure = Exclude<ReactorResult, { kind: 'returned' }>;

/** What is done with an instance: an invocation, or (without one) a load alone. */
interface Job {
  reactor: LoadRequest;
  signal?: AbortSignal | undefined;
  invocation?: Invocation;
}

/** Takes an invocation through the pool: waiting, running, deadline, outcome. */
export class Runner {
  readonly #pool: Pool;
  readonly #limits: SandboxLimits;
  readonly #warn: (message: string) => void;
  readonly #clock: { now(): number };
  readonly #loadErrors = new LoadErrorCache();
  #closed = false;

  constructor(pool: Pool, limits: SandboxLimits, clock: { now(): number }, warn: (message: string) => void) {
    this.#warn = warn;
    this.#pool = pool;
    this.#limits = limits;
    this.#clock = clock;
  }

  async invoke(invocation: Invocation): Promise<InvocationOutcome> {
    const { signal, depth = 0 } = invocation;
    const timings = emptyTimings();
    const job = { reactor: invocation, signal, invocation };
    const result =
      depth > this.#limits.depth ? this.#createFailure('too-deep', job) : await this.#execute(job, timings);
    return { ...(result ?? { kind: 'returned' }), timings };
  }

  async load(reactor: LoadRequest): Promise<Failure | undefined> {
    const result = await this.#execute({ reactor }, emptyTimings());
    return result?.kind === 'returned' ? undefined : result;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool.close();
  }

  async #execute(job: Job, timings: Timings): Promise<ReactorResult | undefined> {
    const known = this.#loadErrors.find(job.reactor);
    if (known) return known;
    const began = performance.now();
    const lease = await this.#acquire(job).catch((error: Error) => this.#warnStartFailed(error));
    timings.queueMs = performance.now() - began;
    const noLease = lease === undefined ? 'busy' : 'crashed';
    const result = lease ? await this.#run(job, lease, timings) : this.#createFailure(noLease, job);
    timings.totalMs = performance.now() - began;
    if (result?.kind === 'load-error') this.#loadErrors.add(job.reactor, result);
    return this.#isCancelled(job) ? this.#createFailure('cancelled', job) : result;
  }

  #warnStartFailed(error: Error): null {
    this.#warn(`A sandbox worker could not be started: ${error.message}`);
    return null;
  }

  async #acquire({ reactor, signal }: Job): Promise<Lease | undefined> {
    const { reactorId, version, timeoutMs, depth = 0 } = reactor;
    const waiting = new AbortController();
    const stop = () => waiting.abort();
    const timer = setTimeout(stop, timeoutMs);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    try {
      return await this.#pool.acquire({ reactorId, version, depth }, waiting.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  async #run(job: Job, lease: Lease, timings: Timings): Promise<ReactorResult | undefined> {
    timings.cold = !lease.warm;
    const stop = () => void lease.instance.end();
    job.signal?.addEventListener('abort', stop);
    if (job.signal?.aborted) stop();
    const remainingMs = Math.max(0, job.reactor.timeoutMs - timings.queueMs);
    const message = this.#createRunMessage(job, lease, remainingMs);
    const end = await lease.instance.run(message, remainingMs + this.#limits.graceMs, (event) =>
      this.#handleEvent(job, lease, event),
    );
    job.signal?.removeEventListener('abort', stop);
    this.#pool.release(lease, end.kind === 'done' && end.message.reusable);
    return this.#toResult(end, job, timings);
  }

  #createRunMessage({ reactor, invocation }: Job, lease: Lease, timeoutMs: number): RunMessage {
    const source = { code: reactor.code, fileName: reactor.fileName ?? 'reactor.js' };
    return {
      type: 'run',
      ...(!lease.warm && { source }),
      ...(invocation && { request: toGuestRequest(invocation) }),
      timeoutMs,
      clockOffsetMs: this.#clock.now() - Date.now(),
    };
  }

  #handleEvent({ reactor, invocation }: Job, { instance }: Lease, event: WorkerEvent): void {
    const { traceId, reactorId } = reactor;
    if (event.type === 'console') {
      const { level, message } = event;
      reactor.console?.({ level, message, traceId, reactorId, time: this.#clock.now() });
    } else if (event.type === 'request') {
      reactor.onRequest?.({ ...event.request, traceId, reactorId });
    } else {
      void respondToSvc(invocation?.svc ?? null, event).then((answer) => instance.send(answer));
    }
  }

  #toResult(end: RunEnd, job: Job, timings: Timings): ReactorResult | undefined {
    if (end.kind !== 'done') return this.#createFailure(FAILURE_OF_END[end.kind], job);
    const { result, loadMs, runMs } = end.message;
    timings.loadMs = loadMs;
    timings.runMs = runMs;
    if (result?.kind === 'failed') return this.#createFailure(result.failure, job, result.detail);
    return result?.kind === 'returned' ? this.#parseValue(job, result.json) : result;
  }

  #parseValue(job: Job, json: string | undefined): ReactorResult {
    if (json === undefined) return { kind: 'returned' };
    try {
      return { kind: 'returned', value: JSON.parse(json) as Json };
    } catch {
      return this.#createFailure('not-json', job);
    }
  }

  #createFailure(kind: RuntimeFailure, { reactor }: Job, detail?: string): Failure {
    return describeFailure(kind, { limits: this.#limits, timeoutMs: reactor.timeoutMs, detail });
  }

  #isCancelled({ signal }: Job): boolean {
    return this.#closed || signal?.aborted === true;
  }
}

const FAILURE_OF_END = {
  overdue: 'timeout',
  'out-of-memory': 'out-of-memory',
  exited: 'crashed',
} as const satisfies Record<Exclude<RunEnd['kind'], 'done'>, RuntimeFailure>;

const emptyTimings = (): Timings => ({ cold: false, queueMs: 0, loadMs: 0, runMs: 0, totalMs: 0 });

const toGuestRequest = ({ args, configuration, svc }: Invocation): NonNullable<RunMessage['request']> => ({
  args: JSON.stringify(args),
  configuration: JSON.stringify(configuration),
  hasSvc: svc !== null,
});
