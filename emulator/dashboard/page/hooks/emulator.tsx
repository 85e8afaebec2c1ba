import { type ComponentChildren, createContext } from 'preact';
import {
  type Inputs,
  useContext,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'preact/hooks';
import { controlEndpoint } from '../../../../src/contract/control/endpoints.js';
import type { EmulatorEvent, RequestEvent } from '../../../../src/contract/control/events.js';
import type { ControlInput, JsonControlId } from '../../../../src/contract/control/schemas.js';
import { NOUNS, RESOURCES } from '../../../../src/contract/resources.js';
import { callControl, type ServiceClient } from '../api/client.js';
import { recentEvents, subscribe } from '../api/events.js';

export interface Workbench {
  tenant: { id: string; name: string };
  /** Absent when the keys of the tenant are not known: it was not created by this emulator. */
  service: ServiceClient | undefined;
  isShared: boolean;
  /** The tenant that clock, faults and reset are about; undefined for an emulator with one tenant. */
  scope: string | undefined;
  /** Runs what the user asked for. A failure is shown until the next action; `success`, when it is done. */
  attempt: (action: () => unknown, success?: string) => Promise<void>;
}

export const WorkbenchContext = createContext<Workbench | undefined>(undefined);

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (!workbench) throw new Error('The workbench is not open.');
  return workbench;
}

/** Returns the client of the service. Views that use it are shown only if the keys of the tenant are known. */
export function useService(): ServiceClient {
  const { service } = useWorkbench();
  if (!service) throw new Error('The keys of this tenant are not known.');
  return service;
}

/** Milliseconds between an event and the reload that it causes: between two renderings of events. */
const RELOAD_MS = 300;

const belongsTo = (event: EmulatorEvent, tenantId: string): boolean =>
  !('tenant_id' in event) || event.tenant_id === undefined || event.tenant_id === tenantId;

/** Calls a function some time after events came in that match, once for all of them. */
function useOnEvents(matches: (event: EmulatorEvent) => boolean, run: () => void): void {
  const latest = useRef({ matches, run });
  latest.current = { matches, run };
  useLayoutEffect(() => {
    let timer: number | undefined;
    const unsubscribe = subscribe((added) => {
      // Without events, the log was read again, since the connection was lost: data may be outdated.
      if (added.length > 0 && !added.some(latest.current.matches)) return;
      timer ??= window.setTimeout(() => {
        timer = undefined;
        latest.current.run();
      }, RELOAD_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, []);
}

const readLog = (log: readonly EmulatorEvent[], tenantId: string) => {
  const events = log.filter((event) => belongsTo(event, tenantId));
  const requests = events.filter((event): event is RequestEvent => event.kind === 'request').reverse();
  return { log, tenantId, events, requests };
};

/** What was read last: all that show events of one log share it. */
let reading = readLog([], '');

function useReading() {
  const { tenant } = useWorkbench();
  const [log, setLog] = useState(recentEvents);
  useLayoutEffect(() => subscribe(() => setLog(recentEvents())), []);
  if (reading.log !== log || reading.tenantId !== tenant.id) reading = readLog(log, tenant.id);
  return reading;
}

/** Returns the recent events of the tenant, the oldest first. */
export const useEvents = (): readonly EmulatorEvent[] => useReading().events;

/** Returns the recent requests of clients, the newest first. */
export const useRequests = (): readonly RequestEvent[] => useReading().requests;

/** Whether an event may have changed data of the service: a request that writes, or a change of the emulator itself. */
export function changesData(event: EmulatorEvent): boolean {
  if (event.kind === 'reactor.call') return true;
  if (event.kind !== 'request') return ['reset', 'snapshot', 'clock'].includes(event.kind);
  return event.method !== 'GET' && event.status < 400;
}

interface Loaded<Value> {
  /** Absent until the first load is done. Stays while it is loaded again. */
  value?: Value;
  error?: Error;
}

export interface Resource<Value> extends Loaded<Value> {
  reload: () => void;
}

/** Loads data, and again when its keys change, the connection was lost, or an event `matches`. */
export function useResource<Value>(
  load: () => Promise<Value>,
  keys: Inputs,
  matches: (event: EmulatorEvent) => boolean = changesData,
): Resource<Value> {
  const { tenant } = useWorkbench();
  const key = JSON.stringify([...keys, tenant.id]);
  const [loaded, setLoaded] = useState<Loaded<Value> & { key?: string }>({});
  const [turn, reload] = useReducer<number, void>((count) => count + 1, 0);
  useLayoutEffect(() => {
    // A response that was overtaken by a later load is dropped.
    let isLatest = true;
    const set = (next: Loaded<Value>) => isLatest && setLoaded({ ...next, key });
    load().then(
      (value) => set({ value }),
      (error: Error) => set({ error }),
    );
    return () => {
      isLatest = false;
    };
  }, [key, turn]);
  useOnEvents((event) => belongsTo(event, tenant.id) && matches(event), reload);
  return { ...(loaded.key === key && loaded), reload };
}

/** Loads what a control endpoint responds: about the tenant of the page, unless the input names another or none. */
export function useControl<Id extends JsonControlId>(
  id: Id,
  input: ControlInput<Id>,
  matches?: (event: EmulatorEvent) => boolean,
) {
  const { tenant } = useWorkbench();
  const scoped = { ...(controlEndpoint(id).perTenant && { tenant: tenant.id }), ...input };
  return useResource(() => callControl<Id>(id, ...([scoped] as never)), [id, scoped], matches);
}

interface NamedObject {
  collection: string;
  id: string;
  name: string;
}

const ObjectsContext = createContext<readonly NamedObject[]>([]);

const SIZE = 100;

const COLLECTIONS = NOUNS.map((noun) => RESOURCES[noun].collection);

/** The operations that may change a name. */
const NAMING = /^(?!tokens\b).*\.(create|replace|update|delete)$/;

/** Loads the names of the objects, so that what is in it finds them, and shows names in place of ids. */
export function NamesProvider({ children }: { children: ComponentChildren }) {
  const { service } = useWorkbench();
  const { value } = useResource(
    async () => {
      if (!service) return [];
      const pages = await Promise.all(
        COLLECTIONS.map((collection) => service.read(`${collection}.list`, { query: { size: SIZE } })),
      );
      return pages.flatMap(({ data }, index): NamedObject[] =>
        data.map(({ id, name }) => ({ collection: COLLECTIONS[index] ?? '', id, name })),
      );
    },
    [],
    (event) => (event.kind === 'request' ? NAMING.test(event.operation ?? '') : event.kind === 'reset'),
  );
  return <ObjectsContext.Provider value={value ?? []}>{children}</ObjectsContext.Provider>;
}

/** Returns the objects of the tenant, a hundred of each kind. */
export const useObjects = () => useContext(ObjectsContext);

export function useNames(): ReadonlyMap<string, string> {
  const objects = useObjects();
  return useMemo(() => new Map(objects.map(({ id, name }) => [id, name])), [objects]);
}
