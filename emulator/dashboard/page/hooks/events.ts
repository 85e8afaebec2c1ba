import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EmulatorEvent, RequestEvent } from '../../../../src/contract/control/events.js';
import { isOwnTrace } from '../api/service-client.js';
import { useWorkbench } from './workbench.js';

/** Milliseconds between two renderings of events, and between an event and the reload that it causes. */
const RENDER_MS = 100;
const RELOAD_MS = 400;

const belongsTo = (event: EmulatorEvent, tenantId: string): boolean =>
  !('tenant_id' in event) || event.tenant_id === undefined || event.tenant_id === tenantId;

/** Returns the recent events of the tenant, the oldest first. */
export function useEvents(): readonly EmulatorEvent[] {
  const { events: log, tenant } = useWorkbench();
  const [events, setEvents] = useState(log.events);
  useEffect(() => {
    let timer: number | undefined;
    const update = () => {
      timer = undefined;
      setEvents(log.events);
    };
    update();
    const unsubscribe = log.subscribe(() => {
      timer ??= window.setTimeout(update, RENDER_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [log]);
  return useMemo(() => events.filter((event) => belongsTo(event, tenant.id)), [events, tenant.id]);
}

/** Returns the recent requests of clients, the newest first. @param own includes those that this page sent to show something */
export function useRequests(own = false): readonly RequestEvent[] {
  const events = useEvents();
  return useMemo(
    () =>
      events
        .filter((event): event is RequestEvent => event.kind === 'request')
        .filter(({ trace_id }) => own || !isOwnTrace(trace_id))
        .reverse(),
    [events, own],
  );
}

/** Calls a function shortly after events that match, once for many of them. */
export function useReloadOn(matches: (event: EmulatorEvent) => boolean, reload: () => void): void {
  const { events: log, tenant } = useWorkbench();
  const latest = useRef({ matches, reload });
  latest.current = { matches, reload };
  useEffect(() => {
    let timer: number | undefined;
    const unsubscribe = log.subscribe((events) => {
      if (!events.some((event) => belongsTo(event, tenant.id) && latest.current.matches(event))) return;
      timer ??= window.setTimeout(() => {
        timer = undefined;
        latest.current.reload();
      }, RELOAD_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [log, tenant.id]);
}

/** Whether an event may have changed data of the service: a request that writes, or a change of the emulator itself. */
export function changesData(event: EmulatorEvent): boolean {
  if (event.kind === 'reactor.call') return true;
  if (event.kind !== 'request') return ['reset', 'snapshot', 'clock'].includes(event.kind);
  return event.method !== 'GET' && event.status < 400 && !isOwnTrace(event.trace_id);
}
