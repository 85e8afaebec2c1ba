import { LRUCache } from 'lru-cache';
import type { Json } from '../../../src/contract/json.js';
import { DEBUGGING_MS } from '../../../src/contract/with-timeout.js';
import type { Logger } from '../../lib/logger.js';
import { nextTurn, SMALL_BYTES } from '../../lib/turns.js';
import type { Invocation, LoadRequest, ReactorCode } from '../invocation.js';
import type { SandboxLimits } from '../limits.js';
import {
  describeFailure,
  type InvocationOutcome,
  type LoadError,
  type ReactorResult,
  type RuntimeFailure,
  type Timings,
} from '../outcome.js';
import type { PackageProvider, Packages } from '../packages/package-provider.js';
import type { CodeOrigin, GuestRequest, RespondToFetch, RunMessage } from '../protocol.js';
import type { RunEnd, WorkerEvent } from './instance.js';
import type { Lease, Pool } from './pool.js';
import { respondToSvc } from './svc-calls.js';

type Failure = Exclude<ReactorResult, { kind: 'returned' }>;

/** One use of an instance: an invocation, or a load if `invocation` is absent. */
interface Job {
  reactor: LoadRequest;
  signal?: AbortSignal | undefined;
  invocation?: Invocation;
  packages?: Packages | undefined;
}

export type SandboxLogger = Pick<Logger, 'warn' | 'error'>;

interface RunnerOptions {
  pool: Pool;
  limits: SandboxLimits;
  clock: { now(): number };
  logger: SandboxLogger;
  respondToFetch?: RespondToFetch | undefined;
  packages?: PackageProvider | undefined;
  /** Present if code is debugged. */
  findOrigin?: ((code: string) => Promise<CodeOrigin | undefined>) | undefined;
}

const MAX_LOAD_ERRORS = 1_000;

/** Runs invocations on instances of the pool, enforces their deadlines and turns what happened into an outcome. */
export class Runner {
  /** Code that does not load would fail the same way again, so no instance is spent on it. By `cacheKey`. */
  readonly #loadErrors = new LRUCache<string, LoadError>({ max: MAX_LOAD_ERRORS });
  /** Invocations that ended, by outcome. */
  readonly outcomes: Partial<Record<ReactorResult['kind'], number>> = {};
  #isClosed = false;

  constructor(private readonly options: RunnerOptions) {}

  async invoke(invocation: Invocation): Promise<InvocationOutcome> {
    const { signal, depth = 0 } = invocation;
    const timings = emptyTimings();
    const job = this.#createJob(invocation, { signal, invocation });
    const result =
      depth > this.options.limits.depth
        ? this.#createFailure('too-deep', job)
        : await this.#execute(job, timings);
    const outcome = result ?? { kind: 'returned' };
    this.outcomes[outcome.kind] = (this.outcomes[outcome.kind] ?? 0) + 1;
    return { ...outcome, timings };
  }

  async load(reactor: LoadRequest): Promise<Failure | undefined> {
    const result = await this.#execute(this.#createJob(reactor), emptyTimings());
    return result?.kind === 'returned' ? undefined : result;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.options.pool.close();
  }

  /** Code that a debugger has paused is never stopped, neither by its deadline nor because its caller has gone. */
  #createJob(reactor: LoadRequest, rest: Omit<Job, 'reactor'> = {}): Job {
    if (!this.options.findOrigin) return { ...rest, reactor };
    return { ...rest, reactor: { ...reactor, timeoutMs: DEBUGGING_MS }, signal: undefined };
  }

  /** @returns undefined after a successful load */
  async #execute(job: Job, timings: Timings): Promise<ReactorResult | undefined> {
    const knownError = this.#loadErrors.get(cacheKey(job.reactor));
    if (knownError) return knownError;
    const startedAt = performance.now();
    const lease = await this.#acquire(job).catch((error: Error) => {
      this.options.logger.warn(`A sandbox worker could not be started: ${error.message}`);
      return 'crashed' as const;
    });
    timings.queueMs = performance.now() - startedAt;
    const result =
      typeof lease === 'string' ? this.#createFailure(lease, job) : await this.#run(job, lease, timings);
    timings.totalMs = performance.now() - startedAt;
    if (result?.kind === 'load-error') this.#loadErrors.set(cacheKey(job.reactor), result);
    return this.#isClosed || job.signal?.aborted ? this.#createFailure('cancelled', job) : result;
  }

  /** Bundles the packages and acquires an instance. @returns a failure if that takes more time than the invocation has */
  async #acquire(job: Job): Promise<Lease | RuntimeFailure> {
    const { reactor, signal } = job;
    const { reactorId, version, timeoutMs, depth = 0, tenantId = '', isBackground = false } = reactor;
    const controller = new AbortController();
    const abort = () => controller.abort();
    const timer = setTimeout(abort, timeoutMs);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      const { packages } = this.options;
      if (packages) {
        job.packages = await unlessAborted(packages.find(reactor), controller.signal);
        if (job.packages === undefined) return 'timeout';
      }
      const request = { reactorId, version, depth, tenantId, isBackground };
      return await this.options.pool.acquire(request, controller.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async #run(job: Job, lease: Lease, timings: Timings): Promise<ReactorResult | undefined> {
    timings.cold = !lease.isWarm;
    const abort = () => void lease.instance.terminate();
    job.signal?.addEventListener('abort', abort);
    if (job.signal?.aborted) abort();
    const remainingMs = Math.max(0, job.reactor.timeoutMs - timings.queueMs);
    const origin = lease.isWarm ? undefined : await this.options.findOrigin?.(job.reactor.code);
    const message = this.#createRunMessage(job, lease, { timeoutMs: remainingMs, origin });
    const end = await lease.instance.run(message, remainingMs + this.options.limits.graceMs, (event) =>
      this.#handleEvent(job, lease, event),
    );
    job.signal?.removeEventListener('abort', abort);
    if (end.kind === 'done' && !end.message.isLoaded) lease.isRetired = true;
    this.options.pool.release(lease, end.kind === 'done' && end.message.isReusable);
    return this.#toResult(end, job, timings);
  }

  #createRunMessage(
    { reactor, invocation, packages }: Job,
    lease: Lease,
    { timeoutMs, origin }: { timeoutMs: number; origin: CodeOrigin | undefined },
  ): RunMessage {
    const source = {
      code: reactor.code,
      fileName: reactor.fileName ?? 'reactor.js',
      ...(origin && { origin }),
      ...(packages && { packages }),
    };
    return {
      type: 'run',
      ...(!lease.isWarm && { source }),
      ...(invocation && { request: toGuestRequest(invocation) }),
      timeoutMs,
      traceId: reactor.traceId,
      ...(reactor.network && { network: reactor.network }),
      clockOffsetMs: (reactor.clock ?? this.options.clock).now() - Date.now(),
    };
  }

  #handleEvent({ reactor, invocation }: Job, { instance }: Lease, event: WorkerEvent): void {
    const { traceId, reactorId } = reactor;
    if (event.type === 'console') {
      const { level, message } = event;
      const time = (reactor.clock ?? this.options.clock).now();
      reactor.console?.({ level, message, traceId, reactorId, time });
    } else if (event.type === 'request') reactor.onRequest?.({ ...event.request, traceId, reactorId });
    else if (event.type === 'host-error')
      this.options.logger.error(
        `Code of reactor ${reactorId} met an internal error, trace ID ${traceId}${event.cause}`,
      );
    else {
      const result =
        event.type === 'svc'
          ? respondToSvc(invocation?.svc ?? null, event)
          : this.options.respondToFetch?.(event.request, reactor.timeoutMs);
      void result?.then((value) => instance.send({ type: 'response', call: event.call, ...value }));
    }
  }

  async #toResult(end: RunEnd, job: Job, timings: Timings): Promise<ReactorResult | undefined> {
    if (end.kind !== 'done') return this.#createFailure(FAILURE_BY_END[end.kind], job);
    const { result, loadMs, runMs } = end.message;
    timings.loadMs = loadMs;
    timings.runMs = runMs;
    if (result?.kind === 'failed') return this.#createFailure(result.failure, job, result.detail);
    return result?.kind === 'returned' ? this.#parseValue(job, result.json) : result;
  }

  async #parseValue(job: Job, json: string | undefined): Promise<ReactorResult> {
    if (json === undefined) return { kind: 'returned' };
    // Copying objects from the worker would take longer than parsing a text.
    if (json.length > SMALL_BYTES) await nextTurn();
    try {
      return { kind: 'returned', value: JSON.parse(json) as Json };
    } catch {
      return this.#createFailure('not-json', job);
    }
  }

  #createFailure(kind: RuntimeFailure, { reactor }: Job, detail?: string): Failure {
    return describeFailure(kind, { limits: this.options.limits, timeoutMs: reactor.timeoutMs, detail });
  }
}

/** Returns undefined if the signal is aborted before the work has ended. The work goes on. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([work, aborted]);
}

const FAILURE_BY_END = {
  overdue: 'timeout',
  'out-of-memory': 'out-of-memory',
  exited: 'crashed',
} as const satisfies Record<Exclude<RunEnd['kind'], 'done'>, RuntimeFailure>;

/** Contains the file name, because it is part of the error's position. */
const cacheKey = ({ reactorId, version, fileName = '' }: ReactorCode): string =>
  `${reactorId} ${version} ${fileName}`;

const emptyTimings = (): Timings => ({ cold: false, queueMs: 0, loadMs: 0, runMs: 0, totalMs: 0 });

const toGuestRequest = ({ args, configuration, svc, takesEvent = false }: Invocation): GuestRequest => ({
  args: JSON.stringify(args),
  configuration: JSON.stringify(configuration),
  hasSvc: svc !== null,
  takesEvent,
});
