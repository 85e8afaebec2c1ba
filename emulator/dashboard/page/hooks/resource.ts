import { type Inputs, useEffect, useReducer, useState } from 'preact/hooks';
import type { EmulatorEvent } from '../../../../src/contract/control/events.js';
import type { ControlInput, JsonControlId } from '../../../../src/contract/control/schemas.js';
import { callControl } from '../api/client.js';
import { changesData, useReloadOn } from './events.js';
import { useWorkbench } from './workbench.js';

interface Loaded<Value> {
  /** Absent until the first load is done. Stays while it is loaded again. */
  value?: Value;
  /** Why the last load failed. */
  error?: Error;
}

/** Data that is loaded from the emulator. */
export interface Resource<Value> extends Loaded<Value> {
  reload: () => void;
}

/**
 * Loads data when a view opens, when its keys change, when the connection was lost, and after events that may have changed it.
 * @param matches whether an event may have; what changes data of the service by default
 */
export function useResource<Value>(
  load: () => Promise<Value>,
  keys: Inputs,
  matches: (event: EmulatorEvent) => boolean = changesData,
): Resource<Value> {
  const { tenant, connection } = useWorkbench();
  const key = JSON.stringify([...keys, tenant.id]);
  const [loaded, setLoaded] = useState<Loaded<Value> & { key?: string }>({});
  const [turn, reload] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => {
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
  }, [key, connection, turn]);
  useReloadOn(matches, reload);
  return { ...(loaded.key === key && loaded), reload };
}

/** Loads the response of a control endpoint. */
export const useControl = <Id extends JsonControlId>(
  id: Id,
  input: ControlInput<Id>,
  matches?: (event: EmulatorEvent) => boolean,
) => useResource(() => callControl<Id>(id, ...([input] as never)), [id, input], matches);
