import { EventEmitter } from 'node:events';
import type { EmulatorEvent } from '../../../src/contract/control/events.js';
import type { OutboundCall } from '../../../src/contract/control/outbound.js';
import type { ReactorTrace } from '../../../src/contract/control/traces.js';
import type { Caller } from '../../access/caller-registry.js';
import type { AccessCheck } from '../../access/explain-check.js';
import { RecentByTenant } from '../../lib/recent-items.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import type { CallChecks } from './call-checks.js';
import { type AnsweredRequest, type Part, type RecordObservers, RequestRecord } from './request-record.js';

/** What happens while requests are handled, for those who listen. */
interface Happenings {
  /** An event of this process or of another one that shares the store. */
  event: [EmulatorEvent];
  ownEvent: [EmulatorEvent];
  /** A request of this process that the CLI sent for its own sake; it is none of the events above. */
  background: [EmulatorEvent];
  /** The end of an invocation of this process. */
  invocation: [ReactorTrace];
  check: [AccessCheck, Caller['application']];
}

/** Remembers recent requests, those of each tenant apart, bounded in number and bytes. */
export class RequestRecords extends EventEmitter<Happenings> {
  readonly #requests = new RecentByTenant<RequestRecord>();
  /** What happened apart from the requests of this process: deliveries, changes of the emulator, requests of other processes. */
  readonly #others = new RecentByTenant<RequestRecord>();
  readonly #observers: RecordObservers;

  constructor(observers: Pick<RecordObservers, 'tracing' | 'watch'> = {}) {
    super();
    // A listener for each open event stream.
    this.setMaxListeners(0);
    this.#observers = {
      keep: (record) => this.#requests.add(record, record.tenantId, record.bytes),
      onEvent: (event) => this.#announce(event),
      onCheck: (check, application) => this.emit('check', check, application),
      onInvocation: (trace) => this.emit('invocation', trace),
      ...observers,
    };
  }

  /** Begins the record of a request. It is kept as soon as there is something in it. */
  begin(traceId: string): RequestRecord {
    return new RequestRecord(traceId, this.#observers);
  }

  /** Adds an event that belongs to no request. @param outbound what was sent, if it is about that */
  add(event: EmulatorEvent, outbound?: OutboundCall): void {
    this.#other().add(event.tenant_id, { event, ...(outbound && { outbound }) });
    this.#announce(event);
  }

  /** Takes over an event of another process that shares the store. */
  adopt(event: EmulatorEvent): void {
    this.#other().add(event.tenant_id, { event });
    this.emit('event', event);
  }

  /** Takes over an invocation of another process that shares the store. */
  adoptInvocation(trace: ReactorTrace): void {
    const { trace_id, tenant_id } = trace;
    this.#other(trace_id).add(tenant_id, { invocation: { trace, bytes: JSON.stringify(trace).length } });
  }

  /** The events of a tenant, or of all; the newest last. @param background whether requests in the background are among them */
  events(tenantId?: string, background = false): EmulatorEvent[] {
    const parts = partsOf(this.#records(tenantId), tenantId);
    const events = parts.flatMap(({ event }) => event ?? []);
    return events.filter((event) => background || !isBackground(event));
  }

  /** The answered requests of a tenant, or of all; the newest last. */
  requests(tenantId?: string, background = false): AnsweredRequest[] {
    const requests = partsOf(this.#requests.list(tenantId), tenantId).flatMap(({ request }) => request ?? []);
    return requests.filter(({ event }) => background || !isBackground(event));
  }

  /** The calls of the requests with a trace id, in the order in which they began. */
  calls(traceId: string, tenantId?: string): CallChecks[] {
    return this.#find(traceId, tenantId).flatMap(({ call }) => call ?? []);
  }

  /** The invocations under a trace id, or all recent ones; the oldest first. */
  invocations(traceId: string | undefined, tenantId?: string): ReactorTrace[] {
    return this.#find(traceId, tenantId).flatMap(({ invocation }) => invocation?.trace ?? []);
  }

  /** The requests that were sent for a tenant, or for all; those of one invocation follow each other. */
  outbound(tenantId?: string): OutboundCall[] {
    const parts = this.#find(undefined, tenantId);
    return parts.flatMap(
      ({ outbound, invocation }) => outbound ?? (invocation ? callsOf(invocation.trace) : []),
    );
  }

  /** Discards the records of a tenant, or all. The events of a tenant stay in the list of all tenants. */
  clear(tenantId?: string): void {
    for (const record of this.#records(tenantId)) record.discardDetails();
    this.#requests.clear(tenantId);
    this.#others.clear(tenantId);
  }

  #other(traceId?: string): RequestRecord {
    const keep = (record: RequestRecord) => this.#others.add(record, record.tenantId, record.bytes);
    return new RequestRecord(traceId, { ...this.#observers, keep });
  }

  #records(tenantId: string | undefined): RequestRecord[] {
    return [...this.#requests.list(tenantId), ...this.#others.list(tenantId)];
  }

  #find(traceId: string | undefined, tenantId: string | undefined): Part[] {
    const all = this.#records(tenantId);
    const records = traceId === undefined ? all : all.filter((record) => record.traceId === traceId);
    return partsOf(records, tenantId);
  }

  #announce(event: EmulatorEvent): void {
    if (isBackground(event)) return void this.emit('background', event);
    this.emit('event', event);
    this.emit('ownEvent', event);
  }
}

const isBackground = (event: EmulatorEvent): boolean => event.kind === 'request' && event.background === true;

function callsOf({ trace_id, started_at, requests }: ReactorTrace): OutboundCall[] {
  return requests.map(({ method, url, status, error, offset_ms, duration_ms }) => ({
    ...{ source: 'reactor', trace_id, method, url, duration_ms },
    time: formatTimestamp(Date.parse(started_at) + offset_ms),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
  }));
}

function partsOf(records: readonly RequestRecord[], tenantId: string | undefined): Part[] {
  const parts = records.flatMap((record) => record.parts);
  const own = tenantId === undefined ? parts : parts.filter((part) => part.tenantId === tenantId);
  return own.sort((one, other) => one.number - other.number);
}
