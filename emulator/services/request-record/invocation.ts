import type { EmulatorEvent } from '../../../src/contract/control/events.js';
import type { ReactorTrace, TracedPhases, TracedRequest } from '../../../src/contract/control/traces.js';
import type { Json } from '../../../src/contract/json.js';
import { maskBody, maskHeaders, maskMessage, maskUrl } from '../../../src/contract/masking.js';
import type { OperationId } from '../../../src/contract/operations.js';
import type { Clock } from '../../lib/clock.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import { ProblemError } from '../../problems/problem.js';
import type { ConsoleEntry, Invocation, OutboundRequest } from '../../sandbox/invocation.js';
import type { InvocationOutcome, ThrownError } from '../../sandbox/outcome.js';
import { type Audited, auditedFields } from '../audit-log.js';
import type { LeakWatch } from '../leaks/leak-watch.js';
import type { InvocationSpan } from '../tracing/tracing.js';

/** Characters of console lines and requests that are kept of an invocation. */
const KEPT_CHARACTERS = 65_536;
const INVOCATION_BYTES = 1_024;

export type InvocationWatch = Pick<LeakWatch, 'observe' | 'observeRequest' | 'observeResult'>;

type Start = Pick<ReactorTrace, 'trace_id' | 'tenant_id' | 'reactor_id' | 'depth'>;

interface InvocationObservers {
  name: string;
  clock: Pick<Clock, 'timestamp'>;
  span: InvocationSpan | undefined;
  /** Observes console and requests before they are masked. */
  watch: InvocationWatch | undefined;
  emit(event: EmulatorEvent): void;
  onEnd(trace: ReactorTrace): void;
}

interface SvcCallEnd {
  call: { audited?: Audited | undefined };
  operation: OperationId;
  status: number;
  durationMs: number;
}

export class InvocationRecorder {
  readonly trace: ReactorTrace;
  #bytes = INVOCATION_BYTES;
  readonly #began = performance.now();

  constructor(
    start: Start,
    private readonly observers: InvocationObservers,
  ) {
    const started_at = observers.clock.timestamp();
    this.trace = {
      ...start,
      started_at,
      phases_ms: {},
      starts_ms: {},
      console: [],
      requests: [],
      cut: false,
    };
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Runs the work and records its duration, even when it fails. */
  async measure<T>(phase: keyof TracedPhases, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    this.trace.starts_ms[phase] = began - this.#began;
    try {
      return await work();
    } finally {
      this.trace.phases_ms[phase] = performance.now() - began;
    }
  }

  /** Runs a step of the invocation. If it fails, the invocation ends with the status of the failure. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.end(error instanceof ProblemError ? error.status : 500);
      throw error;
    }
  }

  /** Runs the last step of the invocation, which ends with its status. */
  async finish<T>(work: () => Promise<T>): Promise<T> {
    const result = await this.attempt(work);
    this.end(200);
    return result;
  }

  /** Records the phases in the sandbox, the last of which has just ended. */
  ran({ cold, queueMs, loadMs, runMs }: InvocationOutcome['timings']): void {
    const { phases_ms, starts_ms } = this.trace;
    this.trace.cold = cold;
    Object.assign(phases_ms, { queue: queueMs, load: loadMs, run: runMs });
    const run = Math.max(0, performance.now() - this.#began - runMs);
    const load = Math.max(0, run - loadMs);
    Object.assign(starts_ms, { queue: Math.max(0, load - queueMs), load, run });
  }

  get listeners(): Pick<Invocation, 'console' | 'onRequest'> {
    return { console: (entry) => this.console(entry), onRequest: (request) => this.request(request) };
  }

  console({ level, message, time: at }: ConsoleEntry): void {
    const time = formatTimestamp(at);
    this.observers.watch?.observe(`console of reactor ${this.observers.name}`, message);
    if (this.#fits(message.length)) this.trace.console.push({ time, level, message });
    this.observers.emit({ kind: 'reactor.log', time, ...this.#origin(), level, message });
  }

  request(request: OutboundRequest): void {
    const { span, watch, name, clock, emit } = this.observers;
    span?.recordRequest(request);
    watch?.observeRequest(name, request);
    // A request is reported when it is complete.
    const offsetMs = Math.max(0, performance.now() - this.#began - request.durationMs);
    const traced = tracedRequest(request, offsetMs);
    if (this.#fits(JSON.stringify(traced).length)) this.trace.requests.push(traced);
    const { method, url, status, error, duration_ms } = traced;
    emit({
      kind: 'reactor.request',
      time: clock.timestamp(),
      ...this.#origin(),
      method,
      url: url.replace(/\?.*$/, ''),
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
      duration_ms,
    });
  }

  /** Reports a call through `svc` when it is complete. */
  called({ call, operation, status, durationMs }: SvcCallEnd): void {
    const { clock, emit } = this.observers;
    emit({
      kind: 'reactor.call',
      time: clock.timestamp(),
      ...this.#origin(),
      operation,
      status,
      duration_ms: Math.round(durationMs * 10) / 10,
      ...(status < 400 && auditedFields(call)),
    });
  }

  /** @param raw the result that the reactor returned unprotected */
  returned(args: Json, raw: Json | undefined): void {
    this.observers.watch?.observeResult(this.observers.name, args, raw);
  }

  /** @param error its stack has a line for each frame after the first @param values those that its message may repeat */
  error({ name: kind, stack, message, position, ...rest }: ThrownError, values: readonly Json[]): void {
    const { cause, errors, headers, body } = rest;
    const { watch, name } = this.observers;
    watch?.observe(
      `error of reactor ${name}`,
      `${message}\n${JSON.stringify([cause, errors, headers, body])}`,
    );
    const text = cause === undefined || message.includes(cause) ? message : `${message}: ${cause}`;
    this.trace.error = {
      name: maskMessage(kind, values),
      message: maskMessage(text, values),
      ...(position && { line: position.line, column: position.column }),
    };
    this.trace.stack = stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim());
  }

  end(status: number): void {
    this.trace.status = status;
    this.trace.total_ms = performance.now() - this.#began;
    this.observers.span?.end(this.trace);
    this.observers.onEnd(this.trace);
  }

  #origin() {
    const { trace_id, tenant_id, reactor_id } = this.trace;
    return { trace_id, tenant_id, reactor_id, reactor_name: this.observers.name };
  }

  #fits(characters: number): boolean {
    this.trace.cut ||= this.#bytes + characters > INVOCATION_BYTES + KEPT_CHARACTERS;
    if (this.trace.cut) return false;
    this.#bytes += characters;
    return true;
  }
}

function tracedRequest(request: OutboundRequest, offsetMs: number): TracedRequest {
  const { method, url, status, error, durationMs } = request;
  const { requestHeaders, requestBody, responseHeaders, responseBody } = request;
  return {
    method,
    url: maskUrl(url),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    offset_ms: offsetMs,
    duration_ms: durationMs,
    request_headers: maskHeaders(requestHeaders),
    response_headers: maskHeaders(responseHeaders),
    ...(requestBody !== undefined && { request_body: maskBody(requestBody, requestHeaders) }),
    ...(responseBody !== undefined && { response_body: maskBody(responseBody, responseHeaders) }),
  };
}
