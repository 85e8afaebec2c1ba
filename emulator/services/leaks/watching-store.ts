import type { Store } from '../../store/store.js';
import { wrapStore } from '../../store/wrapped-store.js';
import type { LeakWatch } from './leak-watch.js';

/** Returns a store that shows the tokens it stores to a leak watch. */
export function createLeakWatchingStore(store: Store, watch: Pick<LeakWatch, 'addToken'>): Store {
  return wrapStore(store, {
    async commit(changes) {
      await store.commit(changes);
      for (const change of changes) {
        if ('insert' in change && change.insert === 'tokens') watch.addToken(change.record);
        if ('replace' in change && change.replace === 'tokens') watch.addToken(change.record);
      }
    },
  });
}
