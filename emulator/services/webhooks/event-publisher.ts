import { randomInt } from 'node:crypto';
import pLimit from 'p-limit';
import type { WebhookEvent } from '../../../src/contract/control/webhook-events.js';
import { PING_EVENT } from '../../../src/contract/event-types.js';
import type { Ids } from '../../lib/ids.js';
import { estimateBytes, RecentByTenant } from '../../lib/recent-items.js';
import type { TenantClocks } from '../../lib/tenant-clocks.js';
import type { DeliveryRecord, WebhookRecord } from '../../store/records.js';
import type { Change, Store } from '../../store/store.js';
import { clockOf, createEventDelivery } from './delivery-record.js';
import { type EntityEvent, eventsOf } from './entity-event.js';
import type { WebhookQueue } from './webhook-queue.js';

interface EventServices {
  store: Pick<Store, 'commit' | 'find' | 'get'>;
  clocks: Pick<TenantClocks, 'global' | 'of'>;
  ids: Pick<Ids, 'uuid'>;
  queue: Pick<WebhookQueue, 'deliver'>;
}

/** Events of one commit, and a delivery for each webhook that subscribes to one of them. */
interface EventDeliveries {
  events: EntityEvent[];
  deliveries: DeliveryRecord[];
}

/** Publishes the events of tokens, reactors, applications and tenants to webhooks (decisions.md, "Newer generation of the API family"). */
export class EventPublisher {
  readonly #services: EventServices;
  /** Events that can be delivered again. */
  readonly #recent = new RecentByTenant<EntityEvent>();
  /** All webhooks, so that a commit finds out without reading the store whether anybody wants its events. */
  #webhooks: readonly WebhookRecord[] = [];
  /** What was read earlier never takes the place of what was read later. */
  readonly #inOrder = pLimit(1);

  constructor(services: EventServices) {
    this.#services = services;
  }

  /** Reads the webhooks. Call it at the start, and after a change of webhooks in the store. */
  refresh(): Promise<void> {
    return this.#inOrder(async () => {
      const { records } = await this.#services.store.find('webhooks', {});
      this.#webhooks = records;
    });
  }

  /** Creates the deliveries of the events of a commit, to be stored with it; undefined if there are no webhooks. */
  deliveriesOf(changes: readonly Change[]): Promise<EventDeliveries> | undefined {
    const { ids, clocks } = this.#services;
    if (this.#webhooks.length === 0) return undefined;
    return this.#createDeliveries(eventsOf(changes, ids, clocks.global.timestamp()));
  }

  /** Delivers events whose deliveries have been stored. */
  publish({ events, deliveries }: EventDeliveries): void {
    for (const event of events) this.#recent.add(event, event.tenant_id, estimateBytes(event));
    this.#services.queue.deliver(deliveries);
  }

  /** Those of a tenant, or of all; the newest last. */
  recent(tenantId?: string): readonly WebhookEvent[] {
    return this.#recent.list(tenantId);
  }

  clear(tenantId?: string): void {
    this.#recent.forget(tenantId);
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
    const recent = this.#recent.list(tenantId);
    const events = wanted === undefined ? recent : recent.filter(({ id }) => wanted.includes(id));
    const repeated = events.flatMap((event) => Array<EntityEvent>(times).fill(event));
    const { deliveries: records } = await this.#createDeliveries(repeated);
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

  async #createDeliveries(events: EntityEvent[]): Promise<EventDeliveries> {
    const deliveries = events.flatMap((event) =>
      this.#subscribersOf(event).map((webhook) => this.#createDelivery(event, webhook)),
    );
    return { events, deliveries: await Promise.all(deliveries) };
  }

  #subscribersOf({ tenant_id, type }: EntityEvent): WebhookRecord[] {
    return this.#webhooks.filter(
      (webhook) => webhook.tenant_id === tenant_id && webhook.events.includes(type),
    );
  }

  async #createDelivery(event: WebhookEvent, webhook: WebhookRecord): Promise<DeliveryRecord> {
    const { ids, store, clocks } = this.#services;
    const tenant = await store.get('tenants', webhook.tenant_id, webhook.tenant_id);
    const now = clockOf({ tenant_id: event.tenant_id, event }, clocks).timestamp();
    return createEventDelivery(ids.uuid(), event, webhook, tenant?.webhook_secret ?? '', now);
  }
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [result[last], result[other]] = [result[other] as Item, result[last] as Item];
  }
  return result;
}
