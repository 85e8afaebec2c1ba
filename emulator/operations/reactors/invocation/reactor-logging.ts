import type { Clock } from '../../../lib/clock.js';
import { formatTimestamp } from '../../../lib/timestamps.js';
import type { Invocation } from '../../../sandbox/invocation.js';
import type { Events } from '../../../services/events.js';
import { maskUrl } from '../../../services/reactor-traces/mask.js';
import type { TraceRecorder } from '../../../services/reactor-traces/traces.js';
import type { ReactorRecord } from '../../../store/records.js';

/** The services that listeners pass their entries to. */
export interface LoggingServices {
  events: Events;
  clock: Pick<Clock, 'timestamp'>;
}

/** Creates the listeners that pass console output and outbound requests of a reactor to the event stream and its trace. */
export function reactorLogging(
  { tenant_id }: ReactorRecord,
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
        method,
        url: maskUrl(url).replace(/\?.*$/, ''),
        ...(status !== undefined && { status }),
        ...(error !== undefined && { error }),
        duration_ms: durationMs,
      });
    },
  };
}
