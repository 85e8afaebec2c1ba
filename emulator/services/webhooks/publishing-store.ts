import type { Store } from '../../store/store.js';
import { wrapStore } from '../../store/wrapped-store.js';
import type { WebhookEvents } from './webhook-events.js';

/** Returns a store whose commits also publish their events to the webhooks that subscribe to them. */
export function createPublishingStore(store: Store, events: Pick<WebhookEvents, 'commit'>): Store {
  return wrapStore(store, { commit: (changes) => events.commit(changes) });
}
