import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { NOUNS, RESOURCES } from '../../../../src/contract/resources.js';
import { useReloadOn } from './events.js';
import { useResource } from './resource.js';
import { useWorkbench } from './workbench.js';

/** Names of the tenant's objects by id. */
type Names = ReadonlyMap<string, string>;

const NamesContext = createContext<Names>(new Map());

/** Objects of each resource whose names are known. */
const SIZE = 100;

const COLLECTIONS = NOUNS.map((noun) => RESOURCES[noun].collection);

/** Loads the names of the objects, so that what is in it shows them in place of ids. */
export function NamesProvider({ children }: { children: ComponentChildren }) {
  const { service } = useWorkbench();
  const loaded = useResource(async () => {
    if (!service) return [];
    const pages = await Promise.all(
      COLLECTIONS.map((collection) => service.read(`${collection}.list`, { query: { size: SIZE } })),
    );
    return pages.flatMap(({ data }): { id: string; name: string }[] => data);
  }, [service]);
  useReloadOn(
    (event) =>
      event.kind === 'reset' ||
      (event.kind === 'request' &&
        event.method !== 'GET' &&
        COLLECTIONS.some((collection) => event.path.startsWith(`/${collection}`)) &&
        !event.operation?.startsWith('reactors.react')),
    loaded.reload,
  );
  const names = new Map(loaded.value?.map(({ id, name }) => [id, name]));
  return <NamesContext.Provider value={names}>{children}</NamesContext.Provider>;
}

export const useNames = (): Names => useContext(NamesContext);
