import type { ReactorTrace, TracedPhases, TracedRequest } from '../../../src/contract/control/traces.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import type { ConsoleEntry, OutboundRequest } from '../../sandbox/invocation.js';
import { maskBody, maskHeaders, maskUrl } from './mask.js';

/** Number of traces that are kept, and the characters of console lines and requests in each. */
const KEPT_TRACES = 100;
const KEPT_CHARACTERS = 65_536;

/** Records one invocation while it runs. */
export class TraceRecorder {
  readonly trace: ReactorTrace;
  #characters = 0;
  readonly #began = performance.now();

  constructor(start: Pick<ReactorTrace, 'trace_id' | 'tenant_id' | 'reactor_id' | 'depth' | 'started_at'>) {
    this.trace = { ...start, phases_ms: {}, console: [], requests: [], cut: false };
  }

  /** Runs the work and records its duration, even when it fails. */
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

  /** @param stack the error's first line, then a line for each frame */
  error(stack: string): void {
    this.trace.stack = stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim());
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

/** Traces of recent invocations. The invocations of a chain of reactors share a trace id. */
export class ReactorTraces {
  #kept: ReactorTrace[] = [];

  begin(start: ConstructorParameters<typeof TraceRecorder>[0]): TraceRecorder {
    const recorder = new TraceRecorder(start);
    this.#kept.push(recorder.trace);
    // Dropped in bulk, because removing one at a time would move the whole list for every invocation.
    if (this.#kept.length >= 2 * KEPT_TRACES) this.#kept = this.#kept.slice(-KEPT_TRACES);
    return recorder;
  }

  /** Finds the traces of a trace id, the oldest first. Empty when it is unknown or too old. */
  find(traceId: string): ReactorTrace[] {
    return this.#kept.filter((trace) => trace.trace_id === traceId);
  }

  clear(): void {
    this.#kept = [];
  }
}
