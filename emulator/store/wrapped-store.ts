import type { Store } from './store.js';

/** Returns a store that passes every call on to another one, but for the methods given here. */
export function wrapStore(store: Store, methods: Partial<Store>): Store {
  return {
    get: (collection, tenantId, id) => store.get(collection, tenantId, id),
    find: (collection, query) => store.find(collection, query),
    commit: (changes) => store.commit(changes),
    record: (entries) => store.record(entries),
    copy: (each) => store.copy(each),
    close: () => store.close(),
    ...(store.shared && { shared: store.shared }),
    ...methods,
  };
}
