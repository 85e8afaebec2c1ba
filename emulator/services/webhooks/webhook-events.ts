import { randomInt } from 'node:crypto';
import type { WebhookEvent } from '../../../src/contract/control/webhook-events.js';
import { type EventType, PING_EVENT } from '../../../src/contract/webhook-events.js';
import type { Ids } from '../../lib/ids.js';
import type { TenantClocks } from '../../lib/tenant-clocks.js';
import type { DeliveryRecord, WebhookRecord } from '../../store/records.js';
import type { Change, Store } from '../../store/store.js';
import { clockOf, createEventDelivery } from './delivery-record.js';
import { type EntityEvent, eventsOf } from './entity-event.js';
import type { WebhookQueue } from './webhook-queue.js';
import type { WebhookRegistry } from './webhook-registry.js';

interface EventServices {
  store: Pick<Store, 'commit' | 'get'>;
  clocks: Pick<TenantClocks, 'global' | 'of'>;
  ids: Pick<Ids, 'uuid'>;
  webhooks: WebhookRegistry;
  queue: Pick<WebhookQueue, 'deliver'>;
}

/** Events that are kept for another delivery. */
const KEPT = 1_000;

/** The events of tokens, reactors, applications and tenants (decisions.md, "Newer generation of the API family"). */
export class WebhookEvents {
  readonly #services: EventServices;
  #recent: EntityEvent[] = [];

  constructor(services: EventServices) {
    this.#services = services;
  }

  /** Commits changes and the deliveries of their events together: all or nothing. */
  commit(changes: Change[]): Promise<void> {
    const { store, webhooks } = this.#services;
    return webhooks.isEmpty ? store.commit(changes) : this.#commitWithEvents(changes);
  }

  async #commitWithEvents(changes: Change[]): Promise<void> {
    const { store, ids, clocks, queue } = this.#services;
    const events = eventsOf(changes, ids, clocks.global.timestamp());
    const deliveries = await Promise.all(events.map((event) => this.#deliveriesOf(event)));
    const records = deliveries.flat();
    if (records.length === 0) return store.commit(changes);
    await store.commit([...changes, ...records.map((record): Change => ({ insert: 'deliveries', record }))]);
    this.#recent = [...this.#recent, ...events].slice(-KEPT);
    queue.deliver(records);
  }

  /** Those of a tenant, or of all; the newest last. */
  recent(tenantId?: string): readonly WebhookEvent[] {
    return this.#recent.filter((event) => isOf(event, tenantId));
  }

  clear(tenantId?: string): void {
    this.#recent = this.#recent.filter((event) => !isOf(event, tenantId));
  }

  /** Sends a test event. @returns the id of the event */
  async ping(webhook: WebhookRecord, actor: { id: string; type: string }): Promise<string> {
    const { ids, clocks } = this.#services;
    const { id, name, tenant_id } = webhook;
    const event: WebhookEvent = {
      id: ids.uuid(),
      type: PING_EVENT,
      timestamp: clocks.of(tenant_id).timestamp(),
      tenant_id,
      data: { webhook: { id, name }, actor },
    };
    await this.#enqueue([await this.#createDelivery(event, webhook)]);
    return event.id;
  }

  /**
   * Delivers recent events again to the webhooks that subscribe to them now.
   * @param wanted event ids; undefined for all
   * @param tenantId only events of this tenant
   * @returns the number of deliveries
   */
  async resend(
    wanted: readonly string[] | undefined,
    times: number,
    shuffle: boolean,
    tenantId?: string,
  ): Promise<number> {
    const events = this.#recent.filter(
      (event) => isOf(event, tenantId) && (wanted === undefined || wanted.includes(event.id)),
    );
    const repeated = events.flatMap((event) => Array<EntityEvent>(times).fill(event));
    const deliveries = await Promise.all(repeated.map((event) => this.#deliveriesOf(event)));
    const records = deliveries.flat();
    if (!shuffle) await this.#enqueue(records);
    // Without an order, each delivery is independent of the others.
    else await this.#enqueue(shuffled(records).map(({ order: _, ...record }) => record));
    return records.length;
  }

  async #enqueue(records: DeliveryRecord[]): Promise<void> {
    const { store, queue } = this.#services;
    await store.commit(records.map((record) => ({ insert: 'deliveries', record })));
    queue.deliver(records);
  }

  #deliveriesOf(event: EntityEvent): Promise<DeliveryRecord[]> {
    const subscribers = this.#services.webhooks.find(event.tenant_id, event.type as EventType);
    return Promise.all(subscribers.map((webhook) => this.#createDelivery(event, webhook)));
  }

  async #createDelivery(event: WebhookEvent, webhook: WebhookRecord): Promise<DeliveryRecord> {
    const { ids, store, clocks } = this.#services;
    const tenant = await store.get('tenants', webhook.tenant_id, webhook.tenant_id);
    const now = clockOf({ tenant_id: event.tenant_id, event }, clocks).timestamp();
    return createEventDelivery(ids.uuid(), event, webhook, tenant?.webhook_secret ?? '', now);
  }
}

const isOf = ({ tenant_id }: EntityEvent, tenantId: string | undefined): boolean =>
  tenantId === undefined || tenant_id === tenantId;

function shuffled<Item>(items: readonly Item[]): Item[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [result[last], result[other]] = [result[other] as Item, result[last] as Item];
  }
  return result;
}
