import { type Inputs, useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { SignInError } from '../api/control-client.js';
import { useWorkbench } from './workbench.js';

/** Data that is loaded from the emulator. */
export interface Resource<Value> {
  /** Absent until the first load is done. Stays while it is loaded again. */
  value: Value | undefined;
  /** Why the last load failed. */
  error: Error | undefined;
  reload: () => void;
}

interface Loaded<Value> {
  value?: Value;
  error?: Error;
}

/** Loads data when a view opens, when its keys change and when the connection was lost. */
export function useResource<Value>(load: () => Promise<Value>, keys: Inputs): Resource<Value> {
  const { signIn, tenant, connection } = useWorkbench();
  const [loaded, setLoaded] = useState<Loaded<Value>>({});
  const latest = useRef(0);

  const reload = useCallback(() => {
    latest.current += 1;
    const current = latest.current;
    // A response that was overtaken by a later load is dropped.
    const set = (next: Loaded<Value>) => current === latest.current && setLoaded(next);
    load().then(
      (value) => set({ value }),
      (error: Error) => (error instanceof SignInError ? signIn(error.message) : set({ error })),
    );
  }, [...keys, tenant.id]);

  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) setLoaded({});
    isFirst.current = false;
    reload();
    return () => {
      latest.current += 1;
    };
  }, [reload]);

  const openedWith = useRef(connection);
  useEffect(() => {
    if (openedWith.current !== connection) reload();
    openedWith.current = connection;
  }, [connection]);

  return { value: loaded.value, error: loaded.error, reload };
}
