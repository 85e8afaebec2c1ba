import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { NOUNS, RESOURCES } from '../../../../src/contract/resources.js';
import { useResource, useWorkbench } from './emulator.js';

/** Names of the tenant's objects by id. */
const NamesContext = createContext<ReadonlyMap<string, string>>(new Map());

/** Objects of each resource whose names are known. */
const SIZE = 100;

const COLLECTIONS = NOUNS.map((noun) => RESOURCES[noun].collection);

/** The operations that may change a name. */
const NAMING = /^(?!tokens\b).*\.(create|replace|update|delete)$/;

/** Loads the names of the objects, so that what is in it shows them in place of ids. */
export function NamesProvider({ children }: { children: ComponentChildren }) {
  const { service } = useWorkbench();
  const { value } = useResource(
    async () => {
      if (!service) return [];
      const pages = await Promise.all(
        COLLECTIONS.map((collection) => service.read(`${collection}.list`, { query: { size: SIZE } })),
      );
      return pages.flatMap(({ data }): { id: string; name: string }[] => data);
    },
    [],
    (event) => (event.kind === 'request' ? NAMING.test(event.operation ?? '') : event.kind === 'reset'),
  );
  return (
    <NamesContext.Provider value={new Map(value?.map(({ id, name }) => [id, name]))}>
      {children}
    </NamesContext.Provider>
  );
}

export const useNames = () => useContext(NamesContext);
