import type { RequestEvent } from '../../../src/contract/control/events.js';
import type { ReactorTrace } from '../../../src/contract/control/traces.js';

/** A request that the emulator has sent. Only host and port of the URL are recorded. */
export interface OutgoingRequest {
  method: string;
  url: string;
  /** Absent if there was no response. */
  status?: number | undefined;
  durationMs: number;
}

interface DeliveryAttempt extends OutgoingRequest {
  tenantId: string;
  requestId: string;
  /** Of the request that caused it. */
  traceId?: string | undefined;
  /** From 1. */
  attempt: number;
  /** The type of the event; absent for a callback. */
  eventType?: string | undefined;
}

/** A span that others can be below. */
export interface ParentSpan {
  startInvocation(
    start: Pick<ReactorTrace, 'trace_id' | 'tenant_id' | 'reactor_id' | 'depth'>,
  ): InvocationSpan;
  /** Records a request that a proxy or a reactor sent. */
  recordRequest(request: OutgoingRequest): void;
}

export interface RequestSpan extends ParentSpan {
  end(event: RequestEvent): void;
}

export interface InvocationSpan extends ParentSpan {
  end(trace: ReactorTrace): void;
}

/** Records OpenTelemetry spans: operations, statuses, ids, hosts, times; never data, keys, headers, paths or queries. */
export interface Tracing {
  /** @param traceId of the service @param traceparent the header of W3C Trace Context, if the caller sent it */
  startRequest(traceId: string | undefined, traceparent: string | undefined): RequestSpan;
  recordDelivery(attempt: DeliveryAttempt): void;
  /** Sends the remaining spans, for at most two seconds. */
  close(): Promise<void>;
}
