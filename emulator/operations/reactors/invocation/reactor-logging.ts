import { maskUrl } from '../../../../src/contract/masking.js';
import type { Clock } from '../../../lib/clock.js';
import { formatTimestamp } from '../../../lib/timestamps.js';
import type { Invocation } from '../../../sandbox/invocation.js';
import { auditedFields } from '../../../services/audit-log.js';
import type { Events } from '../../../services/events.js';
import type { TraceRecorder } from '../../../services/reactor-traces/traces.js';
import type { ReactorRecord } from '../../../store/records.js';
import type { SvcListener } from './svc.js';

/** The services that listeners pass their entries to. */
export interface LoggingServices {
  events: Events;
  clock: Pick<Clock, 'now' | 'timestamp'>;
}

type Reactor = Pick<ReactorRecord, 'id' | 'tenant_id' | 'name'>;

/** Creates the listener that passes the calls that a reactor makes through `svc` to the event stream. */
export function svcLogging(
  { id, tenant_id, name }: Reactor,
  { events, clock }: LoggingServices,
): SvcListener {
  return ({ call, operation, status, durationMs }) =>
    events.emit({
      kind: 'reactor.call',
      time: clock.timestamp(),
      trace_id: call.traceId,
      tenant_id,
      reactor_id: id,
      reactor_name: name,
      operation,
      status,
      duration_ms: Math.round(durationMs * 10) / 10,
      ...(status < 400 && auditedFields(call)),
    });
}

/** Creates the listeners that pass console output and outbound requests of a reactor to the event stream and its trace. */
export function reactorLogging(
  { tenant_id, name }: Reactor,
  trace: TraceRecorder,
  { events, clock }: LoggingServices,
): Pick<Invocation, 'console' | 'onRequest'> {
  return {
    console(entry) {
      const { level, message, time, traceId, reactorId } = entry;
      trace.console(entry);
      events.emit({
        kind: 'reactor.log',
        time: formatTimestamp(time),
        trace_id: traceId,
        tenant_id,
        reactor_id: reactorId,
        reactor_name: name,
        level,
        message,
      });
    },
    onRequest(request) {
      const { traceId, reactorId, method, url, status, error, durationMs } = request;
      trace.request(request);
      events.emit({
        kind: 'reactor.request',
        time: clock.timestamp(),
        trace_id: traceId,
        tenant_id,
        reactor_id: reactorId,
        reactor_name: name,
        method,
        url: maskUrl(url).replace(/\?.*$/, ''),
        ...(status !== undefined && { status }),
        ...(error !== undefined && { error }),
        duration_ms: durationMs,
      });
    },
  };
}
