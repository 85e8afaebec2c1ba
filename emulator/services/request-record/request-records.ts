import type { EmulatorEvent } from '../../../src/contract/control/events.js';
import type { ReactorTrace } from '../../../src/contract/control/traces.js';
import { estimateBytes } from '../../lib/estimate-bytes.js';
import { KEPT, RecentByTenant } from '../../lib/recent-items.js';
import type { Tracing } from '../tracing/tracing.js';
import type { CallChecks, CheckListener } from './call-checks.js';
import type { InvocationWatch, RecordedInvocation } from './invocation.js';
import { nextNumber } from './parts.js';
import { type AnsweredRequest, type RecordObservers, RequestRecord } from './request-record.js';

interface RecordServices {
  /** Records requests and invocations as spans as well. */
  tracing?: Pick<Tracing, 'startRequest'> | undefined;
  /** Observes console and requests of reactors before they are masked. */
  leakWatch?: InvocationWatch | undefined;
}

type Listener<Item> = (item: Item) => void;

/**
 * Remembers recent requests. What `requests`, `verify`, `explain`, `logs`, traces, the dashboard and metrics show of them are
 * views of their records. A tenant has records of its own, which no other one fills; they are bounded in number and bytes.
 */
export class RequestRecords {
  readonly #requests = new RecentByTenant<RequestRecord>();
  /** What happened apart from the requests of this process: deliveries, changes of the emulator, requests of other processes. */
  readonly #others = new RecentByTenant<RequestRecord>();
  readonly #listeners = new Set<Listener<EmulatorEvent>>();
  readonly #ownListeners: Listener<EmulatorEvent>[] = [];
  readonly #invocationListeners: Listener<RecordedInvocation>[] = [];
  readonly #checkListeners: CheckListener[] = [];
  readonly #observers: RecordObservers;

  constructor({ tracing, leakWatch }: RecordServices = {}) {
    this.#observers = {
      tracing,
      watch: leakWatch,
      keep: (record) => this.#requests.add(record, record.tenantId, record.bytes),
      event: (event) => this.#notifyOfOwn(event),
      check: (check, application) => {
        for (const listener of this.#checkListeners) listener(check, application);
      },
      invocationEnd: (invocation) => {
        for (const listener of this.#invocationListeners) listener(invocation);
      },
    };
  }

  /** Begins the record of a request. It is kept as soon as there is something in it. */
  begin(traceId: string): RequestRecord {
    return new RequestRecord(traceId, undefined, this.#observers);
  }

  /** Adds an event that belongs to no request. */
  emit(event: EmulatorEvent): void {
    this.#other(event.tenant_id).addEvent(event);
    this.#notifyOfOwn(event);
  }

  /** Takes over an event of another process that shares the store. */
  adopt(event: EmulatorEvent): void {
    this.#other(event.tenant_id).addEvent(event);
    this.#notify(event);
  }

  /** Takes over an invocation of another process that shares the store. */
  adoptInvocation(trace: ReactorTrace): void {
    const { trace_id, tenant_id } = trace;
    const invocation = { number: nextNumber(), bytes: estimateBytes(trace), trace };
    this.#other(tenant_id, trace_id).addInvocation(invocation);
  }

  subscribe(listener: Listener<EmulatorEvent>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Subscribes to events, but for those of other processes. */
  subscribeToOwn(listener: Listener<EmulatorEvent>): void {
    this.#ownListeners.push(listener);
  }

  /** Calls a function with each invocation of this process when it has ended. */
  onInvocation(listener: Listener<RecordedInvocation>): void {
    this.#invocationListeners.push(listener);
  }

  /** Calls a function with each access check from now on. */
  onCheck(listener: CheckListener): void {
    this.#checkListeners.push(listener);
  }

  /** The events of a tenant, or of all; the newest last. */
  events(tenantId?: string): EmulatorEvent[] {
    const events = this.#records(tenantId).flatMap((record) => record.events.items);
    return events
      .filter(({ event }) => isOf(event, tenantId))
      .sort(byNumber)
      .slice(-KEPT.items)
      .map(({ event }) => event);
  }

  /** The answered requests of a tenant, or of all; the newest last. */
  requests(tenantId?: string): AnsweredRequest[] {
    const requests = this.#requests.list(tenantId).map(({ request }) => request);
    return requests
      .filter((request) => request !== undefined)
      .filter(({ event }) => isOf(event, tenantId))
      .sort(byNumber);
  }

  /** The calls of the requests with a trace id, in the order in which they began. */
  calls(traceId: string, tenantId?: string): CallChecks[] {
    const calls = this.#withTraceId(traceId, tenantId).flatMap((record) => record.calls.items);
    return calls.filter(({ application }) => isOf(application, tenantId)).sort(byNumber);
  }

  /** The invocations under a trace id, the oldest first. */
  invocations(traceId: string, tenantId?: string): ReactorTrace[] {
    const invocations = this.#withTraceId(traceId, tenantId).flatMap((record) => record.invocations.items);
    return invocations
      .filter(({ trace }) => isOf(trace, tenantId))
      .sort(byNumber)
      .map(({ trace }) => trace);
  }

  /** Discards the records of a tenant, or all. Without a tenant in the request, its events are still listed. */
  clear(tenantId?: string): void {
    for (const record of this.#records(tenantId)) record.discardDetails();
    this.#requests.clear(tenantId);
    this.#others.clear(tenantId);
  }

  #other(tenantId: string | undefined, traceId?: string): RequestRecord {
    const keep = (record: RequestRecord) => this.#others.add(record, record.tenantId, record.bytes);
    return new RequestRecord(traceId, tenantId, { ...this.#observers, keep });
  }

  #records(tenantId: string | undefined): RequestRecord[] {
    return [...this.#requests.list(tenantId), ...this.#others.list(tenantId)];
  }

  #withTraceId(traceId: string, tenantId: string | undefined): RequestRecord[] {
    return this.#records(tenantId).filter((record) => record.traceId === traceId);
  }

  #notifyOfOwn(event: EmulatorEvent): void {
    this.#notify(event);
    for (const listener of this.#ownListeners) listener(event);
  }

  #notify(event: EmulatorEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function isOf({ tenant_id }: { tenant_id?: string | undefined }, tenantId: string | undefined): boolean {
  return tenantId === undefined || tenant_id === tenantId;
}

function byNumber(one: { number: number }, other: { number: number }): number {
  return one.number - other.number;
}
