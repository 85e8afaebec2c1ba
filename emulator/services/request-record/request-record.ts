import type { EmulatorEvent, RequestEvent } from '../../../src/contract/control/events.js';
import type { OutboundCall } from '../../../src/contract/control/outbound.js';
import type { ReactorTrace } from '../../../src/contract/control/traces.js';
import { maskUrl } from '../../../src/contract/masking.js';
import type { Caller } from '../../access/caller-registry.js';
import type { Clock } from '../../lib/clock.js';
import { jsonLength } from '../../lib/json-bounds.js';
import type { ReactorRecord } from '../../store/records.js';
import type { InvocationSpan, OutgoingRequest, RequestSpan, Tracing } from '../tracing/tracing.js';
import { CallChecks, type CheckListener } from './call-checks.js';
import { InvocationRecorder, type InvocationWatch } from './invocation.js';

/** What is kept of one request at most. */
const KEPT = { parts: 2_000, bytes: 3 * 1024 ** 2 };
const PART_BYTES = 128;

/** What a request and its response carried. */
export interface RequestContent {
  /** Headers that never hold keys or personal data. */
  headers: Readonly<Record<string, string>>;
  query: unknown;
  /** JSON, as are responses. As text, they cost a request less than the values that they hold. */
  body: string | undefined;
  response: string | undefined;
}

/** A request that has been answered. Its content is masked when it is shown (`verification.ts`), which few requests ever are. */
export interface AnsweredRequest extends RequestContent {
  event: RequestEvent;
  /** A verification has matched it. */
  expected: boolean;
}

/** Something that happened while a request was handled. One of the properties is present; a request and a delivery have their event, too. */
interface PartContent {
  event?: EmulatorEvent;
  request?: AnsweredRequest;
  call?: CallChecks;
  invocation?: { readonly trace: ReactorTrace; readonly bytes: number };
  /** A request of a proxy, or an attempt to deliver something. Those of reactors are in their invocations. */
  outbound?: OutboundCall;
}

export interface Part extends PartContent {
  /** Its place in the order of all parts of this process. */
  number: number;
  tenantId: string | undefined;
  /** Of event, request and outbound call. Calls and invocations grow. */
  bytes: number;
}

/** What a record passes its parts on to, as they are added. */
export interface RecordObservers {
  keep(record: RequestRecord): void;
  onEvent(event: EmulatorEvent): void;
  onCheck: CheckListener;
  onInvocation(trace: ReactorTrace): void;
  tracing?: Pick<Tracing, 'startRequest'> | undefined;
  watch?: InvocationWatch | undefined;
}

let lastNumber = 0;

/** What is remembered of one request, filled while it runs and, by an asynchronous invocation, after it. */
export class RequestRecord {
  tenantId: string | undefined;
  parts: readonly Part[] = [];
  /** The span of the request, then one for each depth of reactors. */
  #spans: [RequestSpan, ...InvocationSpan[]] | undefined;

  constructor(
    readonly traceId: string | undefined,
    private readonly observers: RecordObservers,
  ) {}

  /** About how much memory the record takes. */
  get bytes(): number {
    let sum = 0;
    for (const part of this.parts) sum += bytesOf(part);
    return sum;
  }

  /** Starts the span of the request. @param traceparent the header of W3C Trace Context, if the caller sent it */
  startSpan(traceparent: string | undefined): void {
    const span = this.observers.tracing?.startRequest(this.traceId, traceparent);
    if (span) this.#spans = [span];
  }

  /** Begins a call, over HTTP or through `svc`. @param now milliseconds since 1970 */
  beginCall(caller: Pick<Caller, 'application' | 'actor'>, now: number): CallChecks {
    const call = new CallChecks(caller, now, this.observers.onCheck);
    // What follows, at the latest the event of the request, keeps the record.
    this.#addPart(caller.application.tenant_id, { call });
    return call;
  }

  /** Begins an invocation. @param depth reactors above it in a chain of `svc.reactors.react` */
  beginInvocation(
    { id, tenant_id, name }: Pick<ReactorRecord, 'id' | 'tenant_id' | 'name'>,
    depth: number,
    clock: Pick<Clock, 'timestamp'>,
  ): InvocationRecorder {
    const start = { trace_id: this.traceId ?? '', tenant_id, reactor_id: id, depth };
    const span = this.#spans?.[depth]?.startInvocation(start);
    if (span && this.#spans) this.#spans[depth + 1] = span;
    const { onInvocation, watch } = this.observers;
    const emit = (event: EmulatorEvent) => this.emit(event);
    const invocation = new InvocationRecorder(start, { name, clock, span, watch, emit, onEnd: onInvocation });
    this.add(tenant_id, { invocation });
    return invocation;
  }

  /** What the code that the request ran has thrown, with masked values. */
  get thrown(): ReactorTrace['error'] {
    return this.parts.find(({ invocation }) => invocation?.trace.depth === 0)?.invocation?.trace.error;
  }

  /** Records a request that a proxy sent. @param time when it began @param error why there was no response */
  recordProxied(tenantId: string, time: string, request: OutgoingRequest, error: string | undefined): void {
    const { method, url, status, durationMs } = request;
    this.#spans?.[0].recordRequest({ method, url, status, durationMs });
    const outbound: OutboundCall = {
      ...{ source: 'proxy', time, method, url: maskUrl(url), duration_ms: durationMs },
      ...(this.traceId !== undefined && { trace_id: this.traceId }),
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
    };
    this.add(tenantId, { outbound });
  }

  end(event: RequestEvent, content: RequestContent): void {
    this.emit(event, { event, ...content, expected: false });
    this.#spans?.[0].end(event);
  }

  /** Adds an event. @param request what the event is about, if it is that of the request itself */
  emit(event: EmulatorEvent, request?: AnsweredRequest): void {
    this.add(event.tenant_id, { event, ...(request && { request }) });
    this.observers.onEvent(event);
  }

  add(tenantId: string | undefined, content: PartContent): void {
    this.#addPart(tenantId, content);
    this.observers.keep(this);
  }

  #addPart(tenantId: string | undefined, content: PartContent): void {
    lastNumber += 1;
    const bytes = PART_BYTES + jsonLength(content.request ?? content.event) + jsonLength(content.outbound);
    this.parts = [...this.parts, { number: lastNumber, tenantId, bytes, ...content }];
    this.tenantId ??= tenantId;
    this.#trim();
  }

  /** Discards all but the events: the tenant was deleted or reset. */
  discardDetails(): void {
    this.parts = this.parts.filter(({ event }) => event !== undefined);
  }

  /** Drops the oldest parts of a request that does very much; the request and the reactor that it invokes stay. */
  #trim(): void {
    for (let { bytes } = this; this.parts.length > KEPT.parts || bytes > KEPT.bytes; ) {
      const oldest = this.parts.find(({ request, invocation }) => !request && invocation?.trace.depth !== 0);
      if (!oldest) return;
      this.parts = this.parts.filter((part) => part !== oldest);
      bytes -= bytesOf(oldest);
    }
  }
}

function bytesOf({ bytes, call, invocation }: Part): number {
  return bytes + (call?.bytes ?? 0) + (invocation?.bytes ?? 0);
}
