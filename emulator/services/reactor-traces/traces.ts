import { formatTimestamp } from '../../lib/timestamps.js';
import type { ConsoleEntry, OutboundRequest } from '../../sandbox/invocation.js';
import { maskBody, maskHeaders, maskUrl } from './mask.js';

/** A request that a reactor made, with everything that could be somebody's data masked. */
export interface TracedRequest {
  method: string;
  url: string;
  /** Absent when there was no answer. */
  status?: number;
  error?: string;
  duration_ms: number;
  request_headers: Record<string, string>;
  response_headers: Record<string, string>;
  request_body?: string;
  response_body?: string;
}

/** Where the time of an invocation went, in milliseconds; a phase that was not reached is absent. */
export interface TracedPhases {
  /** Reading the tokens, checking permissions, replacing the expressions. */
  detokenize?: number;
  /** Waiting for an instance. */
  queue?: number;
  /** Compiling the code and running its top level; 0 when warm. */
  load?: number;
  /** The function itself, with what it awaits. */
  run?: number;
  /** Creating the tokens of the result. */
  tokenize?: number;
}

/** What one invocation did: `reactor react --trace` shows it. */
export interface ReactorTrace {
  trace_id: string;
  tenant_id: string;
  reactor_id: string;
  /** Reactors above it in a chain of `svc.reactors.react`. */
  depth: number;
  started_at: string;
  /** Status of the result; absent while it runs. */
  status?: number;
  /** No warm instance was free. */
  cold?: boolean;
  total_ms?: number;
  phases_ms: TracedPhases;
  console: { time: string; level: ConsoleEntry['level']; message: string }[];
  requests: TracedRequest[];
  /** Entries were left out, since they were too many or too long. */
  cut: boolean;
}

/** How many invocations are remembered, and the characters of console and requests of each. */
const KEPT_TRACES = 100;
const KEPT_CHARACTERS = 65_536;

/** Writes down one invocation while it runs. */
export class TraceRecorder {
  readonly trace: ReactorTrace;
  #characters = 0;
  readonly #began = performance.now();

  constructor(start: Pick<ReactorTrace, 'trace_id' | 'tenant_id' | 'reactor_id' | 'depth' | 'started_at'>) {
    this.trace = { ...start, phases_ms: {}, console: [], requests: [], cut: false };
  }

  /** Runs the work and notes how long it took, also when it fails. */
  async measure<T>(phase: keyof TracedPhases, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.trace.phases_ms[phase] = performance.now() - began;
    }
  }

  console({ level, message, time }: ConsoleEntry): void {
    if (this.#fits(message.length)) {
      this.trace.console.push({ time: formatTimestamp(time), level, message });
    }
  }

  request(request: OutboundRequest): void {
    const traced = tracedRequest(request);
    if (this.#fits(JSON.stringify(traced).length)) this.trace.requests.push(traced);
  }

  end(status: number): void {
    this.trace.status = status;
    this.trace.total_ms = performance.now() - this.#began;
  }

  #fits(characters: number): boolean {
    this.#characters += characters;
    if (this.#characters <= KEPT_CHARACTERS) return true;
    this.trace.cut = true;
    return false;
  }
}

function tracedRequest(request: OutboundRequest): TracedRequest {
  const { method, url, status, error, durationMs } = request;
  const { requestHeaders, requestBody, responseHeaders, responseBody } = request;
  return {
    method,
    url: maskUrl(url),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    duration_ms: durationMs,
    request_headers: maskHeaders(requestHeaders),
    response_headers: maskHeaders(responseHeaders),
    ...(requestBody !== undefined && { request_body: maskBody(requestBody, requestHeaders) }),
    ...(responseBody !== undefined && { response_body: maskBody(responseBody, responseHeaders) }),
  };
}

/** The invocations of late, by trace id; those of a chain of reactors share one. */
export class ReactorTraces {
  #kept: ReactorTrace[] = [];

  begin(start: ConstructorParameters<typeof TraceRecorder>[0]): TraceRecorder {
    const recorder = new TraceRecorder(start);
    this.#kept.push(recorder.trace);
    // Dropped in bulk, so that not every invocation moves the whole list.
    if (this.#kept.length >= 2 * KEPT_TRACES) this.#kept = this.#kept.slice(-KEPT_TRACES);
    return recorder;
  }

  /** In the order they began; none when the trace id is unknown or too old. */
  find(traceId: string): ReactorTrace[] {
    return this.#kept.filter((trace) => trace.trace_id === traceId);
  }

  clear(): void {
    this.#kept = [];
  }
}
