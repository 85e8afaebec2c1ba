import type { CommitTarget } from './commit-target.js';
import { createLocalStore } from './local-store.js';
import type { Store } from './store.js';
import { Tables } from './tables/tables.js';

/** Creates a store that forgets everything when it is closed (`--memory`). */
export function createMemoryStore(): Store {
  const tables = new Tables();
  return createLocalStore(tables, memoryTarget(tables), { warn() {} });
}

/** Makes batches visible at once. */
function memoryTarget(tables: Tables): CommitTarget {
  const start = { committed: tables, revision: 0 };
  return {
    isBatchFull: false,
    begin: () => start,
    add() {},
    async write({ changes }, revision) {
      start.revision = revision;
      for (const change of changes) tables.apply(change);
    },
    async close() {},
  };
}
