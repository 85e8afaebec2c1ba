import { randomBytes } from 'node:crypto';
import { COLLECTIONS, type Collection } from './collections.js';
import { cacheHashes } from './index/hash-cache.js';
import { createTermHasher } from './index/term-hash.js';
import { LocalStore } from './local-store.js';
import type { CollectionName } from './records.js';
import type { Store } from './store.js';
import { BoundedLogTable } from './tables/bounded-log-table.js';
import { IndexedTable } from './tables/indexed-table.js';
import { Tables } from './tables/tables.js';

/** Creates a store that forgets everything when it is closed (`--memory`). */
export function createMemoryStore(): Store {
  const hasher = cacheHashes(createTermHasher(randomBytes(32)));
  const tables = new Tables(hasher, <N extends CollectionName>(name: N) => {
    const collection: Collection<N> = COLLECTIONS[name];
    return collection.keepLast === undefined
      ? new IndexedTable(collection, hasher)
      : new BoundedLogTable(collection, collection.keepLast);
  });
  return new LocalStore(tables, {
    isBatchFull: false,
    add: () => {},
    write: async () => [],
    afterApply: () => {},
    reportLost: () => {},
    whilePaused: (task) => task(),
    close: async () => {},
  });
}
