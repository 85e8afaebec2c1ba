import type { ReactorTrace, TracedPhases, TracedRequest } from '../../../src/contract/control/traces.js';
import type { Json } from '../../../src/contract/json.js';
import { maskBody, maskHeaders, maskUrl } from '../../../src/contract/masking.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import type { ConsoleEntry, OutboundRequest } from '../../sandbox/invocation.js';
import type { ThrownError } from '../../sandbox/outcome.js';
import type { LeakWatch } from '../leaks/leak-watch.js';
import type { InvocationSpan, Tracing } from '../tracing/tracing.js';

/** Number of traces that are kept, and the characters of console lines and requests in each. */
const KEPT_TRACES = 100;
const KEPT_CHARACTERS = 65_536;

/** The part of a leak watch that observes invocations. */
type InvocationWatch = Pick<LeakWatch, 'observe' | 'observeRequest' | 'observeResult'>;

/** Listeners of an invocation: its span, the search for token data, and a function to call at its end. */
interface TraceListeners {
  span?: InvocationSpan | undefined;
  watch?: InvocationWatch | undefined;
  /** The name of the reactor, for the watch. */
  name?: string;
  onEnd?: (trace: ReactorTrace) => void;
}

/** Records one invocation while it runs. */
export class TraceRecorder {
  readonly trace: ReactorTrace;
  #characters = 0;
  readonly #began = performance.now();
  readonly #span: InvocationSpan | undefined;
  readonly #watch: InvocationWatch | undefined;
  readonly #name: string;
  readonly #onEnd: ((trace: ReactorTrace) => void) | undefined;

  constructor(
    start: Pick<ReactorTrace, 'trace_id' | 'tenant_id' | 'reactor_id' | 'depth' | 'started_at'>,
    { span, watch, name = start.reactor_id, onEnd }: TraceListeners = {},
  ) {
    this.#span = span;
    this.#watch = watch;
    this.#name = name;
    this.#onEnd = onEnd;
    this.trace = { ...start, phases_ms: {}, starts_ms: {}, console: [], requests: [], cut: false };
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

  /** Records phases that followed one another, the last of which has just ended. */
  endPhases(durations: readonly (readonly [phase: keyof TracedPhases, ms: number])[]): void {
    const { phases_ms, starts_ms } = this.trace;
    Object.assign(phases_ms, Object.fromEntries(durations));
    let start = performance.now() - this.#began;
    for (const [phase, ms] of durations.toReversed()) {
      start = Math.max(0, start - ms);
      starts_ms[phase] = start;
    }
  }

  console(entry: ConsoleEntry): void {
    const { level, message, time } = entry;
    this.#watch?.observe(`console of reactor ${this.#name}`, message);
    if (this.#fits(message.length)) {
      this.trace.console.push({ time: formatTimestamp(time), level, message });
    }
  }

  request(request: OutboundRequest): void {
    this.#span?.recordRequest(request);
    this.#watch?.observeRequest(this.#name, request);
    // A request is reported when it is complete.
    const offsetMs = Math.max(0, performance.now() - this.#began - request.durationMs);
    const traced = tracedRequest(request, offsetMs);
    if (this.#fits(JSON.stringify(traced).length)) this.trace.requests.push(traced);
  }

  /** @param raw the result that the reactor returned unprotected */
  returned(args: Json, raw: Json | undefined): void {
    this.#watch?.observeResult(this.#name, args, raw);
  }

  /** @param error its stack is the first line, then a line for each frame */
  error(error: ThrownError): void {
    const { stack, message, cause, errors, headers, body } = error;
    this.#watch?.observe(
      `error of reactor ${this.#name}`,
      `${message}\n${JSON.stringify([cause, errors, headers, body])}`,
    );
    this.trace.stack = stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim());
  }

  end(status: number): void {
    this.trace.status = status;
    this.trace.total_ms = performance.now() - this.#began;
    this.#span?.end(this.trace);
    this.#onEnd?.(this.trace);
  }

  #fits(characters: number): boolean {
    this.#characters += characters;
    if (this.#characters <= KEPT_CHARACTERS) return true;
    this.trace.cut = true;
    return false;
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

const isOf = ({ tenant_id }: ReactorTrace, tenantId: string | undefined): boolean =>
  tenantId === undefined || tenant_id === tenantId;

/** Traces of recent invocations. The invocations of a chain of reactors share a trace id. */
export class ReactorTraces {
  readonly #tracing: Pick<Tracing, 'startInvocation'> | undefined;
  readonly #watch: InvocationWatch | undefined;
  #kept: ReactorTrace[] = [];
  #listener: ((trace: ReactorTrace) => void) | undefined;

  /**
   * @param tracing also records the invocations as spans
   * @param watch observes console and requests before they are masked
   */
  constructor(tracing?: Pick<Tracing, 'startInvocation'>, watch?: InvocationWatch) {
    this.#tracing = tracing;
    this.#watch = watch;
  }

  /** @param name of the reactor */
  begin(start: ConstructorParameters<typeof TraceRecorder>[0], name: string): TraceRecorder {
    const recorder = new TraceRecorder(start, {
      span: this.#tracing?.startInvocation(start),
      watch: this.#watch,
      name,
      onEnd: (trace) => this.#listener?.(trace),
    });
    this.adopt(recorder.trace);
    return recorder;
  }

  /** Adds a trace of this process or of another one that shares the store. */
  adopt(trace: ReactorTrace): void {
    this.#kept.push(trace);
    // Dropped in bulk, because removing one at a time would move the whole list for every invocation.
    if (this.#kept.length >= 2 * KEPT_TRACES) this.#kept = this.#kept.slice(-KEPT_TRACES);
  }

  /** Calls a function with each trace of this process when its invocation has ended. */
  listen(listener: (trace: ReactorTrace) => void): void {
    this.#listener = listener;
  }

  /** Finds the traces of a trace id, of a tenant or all, the oldest first. Empty when it is unknown or too old. */
  find(traceId: string, tenantId?: string): ReactorTrace[] {
    return this.#kept.filter((trace) => trace.trace_id === traceId && isOf(trace, tenantId));
  }

  /** Discards the traces of a tenant, or all. */
  clear(tenantId?: string): void {
    this.#kept = this.#kept.filter((trace) => !isOf(trace, tenantId));
  }
}
