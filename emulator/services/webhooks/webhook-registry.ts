import pLimit from 'p-limit';
import type { EventType } from '../../../src/contract/event-types.js';
import type { WebhookRecord } from '../../store/records.js';
import type { Store } from '../../store/store.js';

/** Holds all webhooks in memory, so that a commit finds out without reading the store whether anybody wants its events. */
export class WebhookRegistry {
  readonly #store: Pick<Store, 'find'>;
  /** What was read earlier never takes the place of what was read later. */
  readonly #inOrder = pLimit(1);
  #webhooks: readonly WebhookRecord[] = [];

  constructor(store: Pick<Store, 'find'>) {
    this.#store = store;
  }

  /** Call it at the start, and after a change of webhooks in the store. */
  refresh(): Promise<void> {
    return this.#inOrder(async () => {
      const { records } = await this.#store.find('webhooks', {});
      this.#webhooks = records;
    });
  }

  get isEmpty(): boolean {
    return this.#webhooks.length === 0;
  }

  /** Finds the webhooks that subscribe to a type of event. */
  find(tenantId: string, type: EventType): WebhookRecord[] {
    return this.#webhooks.filter(({ tenant_id, events }) => tenant_id === tenantId && events.includes(type));
  }
}
