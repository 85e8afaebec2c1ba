import type { Logger } from '../lib/logger.js';
import { forEachYielding } from '../lib/turns.js';
import { CommitQueue } from './commit-queue.js';
import type { CommitTarget } from './commit-target.js';
import type { Insert, Store } from './store.js';
import type { Tables } from './tables/tables.js';

/** Creates the store over tables of this process. */
export function createLocalStore(tables: Tables, target: CommitTarget, logger: Pick<Logger, 'warn'>): Store {
  const queue = new CommitQueue(target, logger);
  return {
    get: async (collection, tenantId, id) => tables.of(collection, tenantId)?.get(id),
    async find(collection, query) {
      if (collection === 'log' || collection === 'activity') await queue.writeEntries();
      return tables.find(collection, query);
    },
    commit: (changes) => queue.commit(changes),
    record: (entries) => queue.record(entries),
    async copy(each) {
      await queue.writeEntries();
      await forEachYielding(insertsOf(tables.capture()), each);
    },
    close: () => queue.close(),
  };
}

function* insertsOf(captured: ReturnType<Tables['capture']>): Generator<Insert> {
  for (const { collection, records } of captured)
    for (const { revision: _, ...record } of records) yield { insert: collection, record } as Insert;
}
