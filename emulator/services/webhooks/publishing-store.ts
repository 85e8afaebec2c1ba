import type { Store } from '../../store/store.js';
import type { WebhookEvents } from './webhook-events.js';

/** Returns a store whose commits also publish their events to the webhooks that subscribe to them. */
export function createPublishingStore(store: Store, events: Pick<WebhookEvents, 'commit'>): Store {
  return {
    get: (collection, tenantId, id) => store.get(collection, tenantId, id),
    find: (collection, query) => store.find(collection, query),
    commit: (changes) => events.commit(changes),
    record: (entries) => store.record(entries),
    copy: (each) => store.copy(each),
    close: () => store.close(),
    ...(store.shared && { shared: store.shared }),
  };
}
