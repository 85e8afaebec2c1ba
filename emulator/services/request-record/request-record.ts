import type { EmulatorEvent, RequestEvent } from '../../../src/contract/control/events.js';
import type { Caller } from '../../access/caller-registry.js';
import type { Clock } from '../../lib/clock.js';
import { estimateBytes } from '../../lib/estimate-bytes.js';
import type { ReactorRecord } from '../../store/records.js';
import type { InvocationSpan, OutgoingRequest, RequestSpan, Tracing } from '../tracing/tracing.js';
import { CallChecks, type CheckListener } from './call-checks.js';
import { InvocationRecorder, type InvocationWatch, type RecordedInvocation } from './invocation.js';
import { bytesOfMasked, type MaskedValue, maskValue } from './masked-value.js';
import { nextNumber, Parts } from './parts.js';

/** What a record takes in addition to its parts, in bytes. */
const RECORD_BYTES = 1_024;

/** What a request carried. */
export interface RequestContent {
  /** Headers that never hold keys or personal data. */
  headers: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
}

/** A request that has been answered, with its masked content. */
export interface AnsweredRequest {
  number: number;
  event: RequestEvent;
  headers: Readonly<Record<string, string>>;
  query: MaskedValue;
  body: MaskedValue;
  /** A verification has matched it. */
  expected: boolean;
}

interface RecordedEvent {
  number: number;
  bytes: number;
  event: EmulatorEvent;
}

/** What a record passes its parts on to, as they are added. */
export interface RecordObservers {
  /** Keeps the record as the newest one. */
  keep(record: RequestRecord): void;
  event(event: EmulatorEvent): void;
  check: CheckListener;
  invocationEnd(invocation: RecordedInvocation): void;
  tracing: Pick<Tracing, 'startRequest'> | undefined;
  watch: InvocationWatch | undefined;
}

/**
 * What is remembered of one request, filled while it runs: its event and masked content, the access checks of its calls, the
 * invocations of reactors and their events. An asynchronous invocation adds to it after the response. Each list is bounded in
 * items and bytes.
 */
export class RequestRecord {
  /** Undefined until the request is answered. */
  request: AnsweredRequest | undefined;
  readonly calls = new Parts<CallChecks>();
  readonly invocations = new Parts<RecordedInvocation>();
  readonly events = new Parts<RecordedEvent>();
  /** The span of the request, then one for each depth of reactors. */
  #spans: [RequestSpan, ...InvocationSpan[]] | undefined;
  readonly #observers: RecordObservers;
  #contentBytes = 0;

  constructor(
    readonly traceId: string | undefined,
    public tenantId: string | undefined,
    observers: RecordObservers,
  ) {
    this.#observers = observers;
  }

  /** About how much memory the record takes. */
  get bytes(): number {
    const { calls, invocations, events } = this;
    return RECORD_BYTES + this.#contentBytes + calls.bytes + invocations.bytes + events.bytes;
  }

  /** Starts the span of the request. @param traceparent the header of W3C Trace Context, if the caller sent it */
  startSpan(traceparent: string | undefined): void {
    const span = this.#observers.tracing?.startRequest(traceparent);
    if (span) this.#spans = [span];
  }

  /** Begins a call, over HTTP or through `svc`. @param now milliseconds since 1970 */
  beginCall(caller: Pick<Caller, 'application' | 'actor'>, now: number): CallChecks {
    const checks = new CallChecks(caller, now, this.#observers.check, this.calls);
    this.tenantId = caller.application.tenant_id;
    this.calls.add(checks);
    this.#observers.keep(this);
    return checks;
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
    const { invocationEnd, watch } = this.#observers;
    const invocation: InvocationRecorder = new InvocationRecorder(start, {
      ...{ name, clock, span, watch },
      emit: (event) => this.emit(event),
      grew: (bytes) => this.invocations.grow(invocation, bytes),
      onEnd: invocationEnd,
    });
    this.addInvocation(invocation);
    return invocation;
  }

  addInvocation(invocation: RecordedInvocation): void {
    this.invocations.add(invocation);
    this.#observers.keep(this);
  }

  /** Records the span of a request that a proxy sent. */
  recordProxied(request: OutgoingRequest): void {
    this.#spans?.[0].recordRequest(request);
  }

  emit(event: EmulatorEvent): void {
    this.addEvent(event);
    this.#observers.event(event);
  }

  addEvent(event: EmulatorEvent): void {
    this.events.add({ number: nextNumber(), bytes: estimateBytes(event), event });
    this.#observers.keep(this);
  }

  /** Ends the request. Its values are masked here. */
  end(event: RequestEvent, { headers, query, body }: RequestContent): void {
    const content = { headers, query: maskValue(query), body: maskValue(body) };
    this.#contentBytes = estimateBytes(headers) + bytesOfMasked(content.query) + bytesOfMasked(content.body);
    this.request = { number: nextNumber(), event, ...content, expected: false };
    this.tenantId = event.tenant_id ?? this.tenantId;
    this.emit(event);
    this.#spans?.[0].end(event);
  }

  /** Discards what the request did, of which only its events are left: its tenant was deleted or reset. */
  discardDetails(): void {
    this.calls.clear();
    this.invocations.clear();
  }
}
