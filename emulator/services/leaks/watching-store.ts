import type { Store } from '../../store/store.js';
import { wrapStore } from '../../store/wrapped-store.js';
import type { LeakWatch } from './leak-watch.js';

/** Returns a store that shows what it stores to a leak watch or to a redaction. */
export function createWatchingStore(store: Store, watch: Pick<LeakWatch, 'addRecord'>): Store {
  return wrapStore(store, {
    async commit(changes) {
      await store.commit(changes);
      for (const change of changes) {
        if ('insert' in change) watch.addRecord(change.insert, change.record);
        if ('replace' in change) watch.addRecord(change.replace, change.record);
      }
    },
  });
}
