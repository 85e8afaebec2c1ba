import pLimit from 'p-limit';
import type { WebhookEvent } from '../../../src/contract/control/deliveries.js';
import { type EventType, PING_EVENT } from '../../../src/contract/event-types.js';
import { jsonLength } from '../../lib/json-bounds.js';
import { RecentByTenant } from '../../lib/recent-items.js';
import { forEachYielding } from '../../lib/turns.js';
import type { DeliveryRecord, EventRecord, LogRecord, WebhookRecord } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import { clockOf, createEvent, createEventDelivery } from './delivery-record.js';
import { type CausedEvent, eventsOf } from './entity-event.js';
import type { WebhookServices } from './send.js';
import { signingKeyOf } from './signing-key.js';
import type { WebhookQueue } from './webhook-queue.js';

type Actor = { id: string; type: string };

interface Publication extends CausedEvent {
  webhooks: readonly WebhookRecord[];
}

interface StoredPublication extends Publication {
  record: EventRecord;
}

/** Publishes the events of tokens, reactors, applications and tenants to webhooks (decisions.md, "Newer generation of the API family"). */
export class EventPublisher {
  /** Events that can be delivered again. */
  readonly #recent = new RecentByTenant<WebhookEvent>();
  /** All webhooks, so that a commit finds out without reading the store whether anybody wants its events. */
  #webhooks: readonly WebhookRecord[] = [];
  /** What was read earlier never takes the place of what was read later. */
  readonly #inOrder = pLimit(1);

  constructor(
    private readonly services: Pick<WebhookServices, 'store' | 'clocks' | 'ids' | 'room'>,
    private readonly queue: Pick<WebhookQueue, 'deliver'>,
  ) {}

  /** Reads the webhooks. Call it at the start, and after a change of webhooks in the store. */
  refresh(): Promise<void> {
    return this.#inOrder(async () => {
      const { records } = await this.services.store.find('webhooks', {});
      this.#webhooks = records;
    });
  }

  /** Stores the deliveries of a commit's events with it, and starts them afterwards. @throws ProblemError 507 */
  async commit(changes: Change[], write: (changes: Change[]) => Promise<void>): Promise<void> {
    const { ids, clocks } = this.services;
    if (this.#webhooks.length === 0) return write(changes);
    const wanted = this.#publicationsOf(await eventsOf(changes, ids, clocks.global.timestamp()));
    const publications = isRequested(changes) ? wanted : await this.#withRoom(wanted);
    await this.#publish(publications, (inserts) => write([...changes, ...inserts]));
    for (const { event } of wanted) this.#recent.add(event, event.tenant_id, jsonLength(event));
  }

  /** Those of a tenant, or of all; the newest last. */
  recent(tenantId?: string): readonly WebhookEvent[] {
    return this.#recent.list(tenantId);
  }

  clear(tenantId?: string): void {
    this.#recent.forget(tenantId);
  }

  /** Sends a test event. @returns the id of the event */
  async ping(webhook: WebhookRecord, actor: Actor): Promise<string> {
    const { id, name, tenant_id } = webhook;
    const event = this.#eventOf(PING_EVENT, tenant_id, { webhook: { id, name }, actor });
    await this.#publish([{ event, webhooks: [webhook] }]);
    return event.id;
  }

  #eventOf(type: WebhookEvent['type'], tenant_id: string, data: WebhookEvent['data']): WebhookEvent {
    const { ids, clocks } = this.services;
    return { id: ids.uuid(), type, timestamp: clocks.of(tenant_id).timestamp(), tenant_id, data };
  }

  /** Reports what changes nothing, such as an invocation. Its deliveries are left out if they have no room. */
  async report(type: EventType, tenantId: string, data: { actor: Actor } & WebhookEvent['data']) {
    if (!this.#webhooks.some(({ events }) => events.includes(type))) return;
    const event = this.#eventOf(type, tenantId, data);
    if ((await this.#withRoom(this.#publicationsOf([{ event }]))).length > 0) await this.trigger(event);
  }

  /** Publishes an event to a webhook, or to all that subscribe to it. @returns the number of deliveries */
  async trigger(event: WebhookEvent, webhook?: string): Promise<number> {
    const webhooks =
      webhook === undefined
        ? this.#subscribersOf(event)
        : this.#webhooks.filter(
            ({ id, name, tenant_id }) => tenant_id === event.tenant_id && [id, name].includes(webhook),
          );
    if (webhooks.length === 0) return 0;
    await this.#publish([{ event, webhooks }]);
    this.#recent.add(event, event.tenant_id, jsonLength(event));
    return webhooks.length;
  }

  /** Delivers recent events, or all, again to those who subscribe to them now. @returns the number of deliveries */
  async resend(wanted: readonly string[] | undefined, times: number, shuffle: boolean, tenantId?: string) {
    const recent = this.#recent.list(tenantId);
    const events = wanted === undefined ? recent : recent.filter(({ id }) => wanted.includes(id));
    const publications = this.#publicationsOf(
      events.flatMap((event) => Array<CausedEvent>(times).fill({ event })),
    );
    await this.#publish(publications, undefined, shuffle);
    return publications.reduce((sum, { webhooks }) => sum + webhooks.length, 0);
  }

  #publicationsOf(events: readonly CausedEvent[]): Publication[] {
    return events
      .map((caused) => ({ ...caused, webhooks: this.#subscribersOf(caused.event) }))
      .filter(({ webhooks }) => webhooks.length > 0);
  }

  #subscribersOf({ tenant_id, type }: WebhookEvent): WebhookRecord[] {
    return this.#webhooks.filter(
      (webhook) => webhook.tenant_id === tenant_id && webhook.events.includes(type as EventType),
    );
  }

  async #withRoom(publications: readonly Publication[]): Promise<Publication[]> {
    const full = new Set<string>();
    for (const tenantId of new Set(publications.map(({ event }) => event.tenant_id)))
      if (await this.services.room.isFull(tenantId)) full.add(tenantId);
    return publications.filter(({ event }) => !full.has(event.tenant_id));
  }

  /** Stores each event once, with its deliveries, and starts them. @param shuffle in any order @throws ProblemError 507 */
  async #publish(
    publications: readonly Publication[],
    write: (inserts: Change[]) => Promise<void> = (inserts) => this.services.store.commit(inserts),
    shuffle = false,
  ): Promise<void> {
    const { room, ids, clocks } = this.services;
    if (publications.length === 0) return write([]);
    const stored: StoredPublication[] = [];
    await forEachYielding(publications, (one) => {
      const { event } = one;
      const time = clockOf({ tenant_id: event.tenant_id, event }, clocks).timestamp();
      stored.push({ ...one, record: createEvent(ids.uuid(), event, time) });
    });
    const release = await room.reserve(
      stored.map(({ record: { tenant_id: tenantId, body }, webhooks }) => ({
        ...{ tenantId, deliveries: webhooks.length, bytes: body.length },
      })),
    );
    try {
      const created = await this.#createDeliveries(stored);
      const deliveries = shuffle ? shuffled(created).map(({ order: _, ...record }) => record) : created;
      await write([
        ...stored.map(({ record }): Change => ({ insert: 'events', record })),
        ...deliveries.map((record): Change => ({ insert: 'deliveries', record })),
      ]);
      for (const { record } of stored) room.add(record.tenant_id, record.id, record.body);
      this.queue.deliver(deliveries);
    } finally {
      release();
    }
  }

  async #createDeliveries(stored: readonly StoredPublication[]): Promise<DeliveryRecord[]> {
    const { ids, store } = this.services;
    const deliveries: DeliveryRecord[] = [];
    await forEachYielding(stored, async ({ event, traceId, record, webhooks }) => {
      const tenant = await store.get('tenants', event.tenant_id, event.tenant_id);
      for (const webhook of webhooks) {
        const signingKey =
          webhook.signature_version === '2' ? await signingKeyOf(event.tenant_id, store) : undefined;
        const secret = signingKey ?? tenant?.webhook_secret ?? '';
        deliveries.push(createEventDelivery(ids.uuid(), { event, traceId }, record, webhook, secret));
      }
    });
    return deliveries;
  }
}

/** Whether a caller asked for changes: the sweep of expired tokens, and the removal of a tenant, must not fail for want of room. */
function isRequested(changes: readonly Change[]): boolean {
  return changes.some(
    (change) =>
      'insert' in change && change.insert === 'log' && (change.record as LogRecord).actor_type !== 'system',
  );
}

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
