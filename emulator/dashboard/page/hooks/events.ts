import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EmulatorEvent, RequestEvent } from '../../../../src/contract/control/events.js';
import { isOwnTrace } from '../api/client.js';
import { recentEvents, subscribe } from '../api/events.js';
import { useWorkbench } from './workbench.js';

/** Milliseconds between two renderings of events, and between an event and the reload that it causes. */
const RENDER_MS = 100;
const RELOAD_MS = 400;

const belongsTo = (event: EmulatorEvent, tenantId: string): boolean =>
  !('tenant_id' in event) || event.tenant_id === undefined || event.tenant_id === tenantId;

/** Calls a function some time after events came in that match, once for all of them. */
function useOnEvents(
  matches: (added: readonly EmulatorEvent[]) => boolean,
  run: () => void,
  delayMs: number,
): void {
  const latest = useRef({ matches, run });
  latest.current = { matches, run };
  useLayoutEffect(() => {
    let timer: number | undefined;
    const unsubscribe = subscribe((added) => {
      if (!latest.current.matches(added)) return;
      timer ??= window.setTimeout(() => {
        timer = undefined;
        latest.current.run();
      }, delayMs);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [delayMs]);
}

/** Returns the recent events of the tenant, the oldest first. */
export function useEvents(): readonly EmulatorEvent[] {
  const { tenant } = useWorkbench();
  const [events, setEvents] = useState(recentEvents);
  useOnEvents(
    () => true,
    () => setEvents(recentEvents()),
    RENDER_MS,
  );
  return useMemo(() => events.filter((event) => belongsTo(event, tenant.id)), [events, tenant.id]);
}

/** Returns the recent requests of clients, the newest first. @param own includes those that this page sent to show something */
export function useRequests(own = false): readonly RequestEvent[] {
  return useEvents()
    .filter((event): event is RequestEvent => event.kind === 'request')
    .filter(({ trace_id }) => own || !isOwnTrace(trace_id))
    .reverse();
}

/** Calls a function shortly after events that match, once for many of them. */
export function useReloadOn(matches: (event: EmulatorEvent) => boolean, reload: () => void): void {
  const { tenant } = useWorkbench();
  const isMatch = (event: EmulatorEvent) => belongsTo(event, tenant.id) && matches(event);
  useOnEvents((added) => added.some(isMatch), reload, RELOAD_MS);
}

/** Whether an event may have changed data of the service: a request that writes, or a change of the emulator itself. */
export function changesData(event: EmulatorEvent): boolean {
  if (event.kind === 'reactor.call') return true;
  if (event.kind !== 'request') return ['reset', 'snapshot', 'clock'].includes(event.kind);
  return event.method !== 'GET' && event.status < 400 && !isOwnTrace(event.trace_id);
}
