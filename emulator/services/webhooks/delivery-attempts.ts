import type { OutboundCall } from '../../../src/contract/control/outbound.js';
import { PING_EVENT } from '../../../src/contract/event-types.js';
import { LIMITS } from '../../../src/contract/limits.js';
import { maskUrl } from '../../../src/contract/masking.js';
import type { Clock } from '../../lib/clock.js';
import type { Cancel } from '../../lib/task-schedule.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import type { DeliveryRecord, EventRecord, Stored } from '../../store/records.js';
import type { Store } from '../../store/store.js';
import { DeliveryClaims, DeliveryLimits, type DeliveryTarget } from './delivery-limits.js';
import { clockOf, retryDelayMs } from './delivery-record.js';
import { byOrder, DeliveryOrder, removeDelivery, updateDelivery } from './pending-deliveries.js';
import { findSecret, sendWebhook, type WebhookServices } from './send.js';
import { noteOutcome } from './webhook-health.js';

/** Milliseconds after which an attempt has ended, even if its process was killed. */
const ATTEMPT_LEASE_MS = LIMITS.callback.timeoutMs + 20_000;

/** Sends stored deliveries until a receiver accepts them or no retry is left. */
export class DeliveryAttempts {
  readonly #limits = new DeliveryLimits();
  readonly #closing = new AbortController();
  readonly #scheduled = new Map<string, { delivery: DeliveryRecord; cancel: Cancel }>();
  /** Ids of the deliveries that are being sent or wait for one of the concurrent deliveries to finish. */
  readonly #sending = new Set<string>();
  readonly #order = new DeliveryOrder();
  /** Keeps deliveries from other processes. */
  readonly claims: DeliveryClaims;

  /**
   * @param track gets every attempt that the clock starts
   * @param done gets what was delivered or given up
   */
  constructor(
    private readonly services: WebhookServices,
    private readonly track: (attempt: Promise<void>) => void,
    private readonly done: (delivery: DeliveryRecord) => void,
  ) {
    this.claims = new DeliveryClaims(services.store);
    services.clocks.onReplace((tenantId) => this.#reschedule(tenantId));
  }

  /** Schedules these deliveries instead of those scheduled before, of a tenant or of all. Those being sent continue. */
  schedule(records: readonly DeliveryRecord[], tenantId?: string): void {
    for (const [id, { delivery, cancel }] of this.#scheduled) {
      if (tenantId !== undefined && delivery.tenant_id !== tenantId) continue;
      cancel();
      this.#scheduled.delete(id);
    }
    this.#order.clear(tenantId);
    for (const record of [...records].sort(byOrder))
      if (this.#order.add(record) && !this.#sending.has(record.id)) this.#scheduleOne(record);
  }

  /** Makes the first attempt of a delivery, once those before it in its order are done. */
  enqueue(record: DeliveryRecord): void {
    if (this.#order.add(record)) this.track(this.run(record));
  }

  /** Makes the next attempt of a delivery now. Its record says that it is due. */
  retry(record: DeliveryRecord): void {
    this.#scheduled.get(record.id)?.cancel();
    this.#scheduled.delete(record.id);
    this.track(this.run(record));
  }

  /** Makes one attempt now and, if it fails, schedules the next one. */
  async run(target: DeliveryTarget): Promise<void> {
    this.#sending.add(target.id);
    try {
      await this.#limits.run(target, () => this.#deliverClaimed(target));
    } finally {
      this.#sending.delete(target.id);
    }
  }

  /** Aborts the attempts in flight and starts no more. */
  stop(): void {
    this.#closing.abort();
  }

  /** Moves the deliveries of a tenant to its present clock. */
  #reschedule(tenantId: string): void {
    for (const { delivery, cancel } of [...this.#scheduled.values()]) {
      if (delivery.tenant_id !== tenantId) continue;
      cancel();
      this.#scheduleOne(delivery);
    }
  }

  #clockOf(delivery: DeliveryRecord): Clock {
    return clockOf(delivery, this.services.clocks);
  }

  #scheduleOne(delivery: DeliveryRecord): void {
    const { id, next_attempt_at } = delivery;
    const cancel = this.#clockOf(delivery).at(Date.parse(next_attempt_at), () => {
      this.#scheduled.delete(id);
      // Not awaited: a slow receiver must not delay other tasks of the clock.
      this.track(this.run(delivery));
    });
    this.#scheduled.set(id, { delivery, cancel });
  }

  /** Delivers unless another process delivers, or has to deliver something before it. */
  async #deliverClaimed(target: DeliveryTarget): Promise<void> {
    const { store } = this.services;
    const delivery = store.shared && (await store.get('deliveries', target.tenant_id, target.id));
    const claim = delivery?.order?.key ?? target.id;
    if (!(await this.claims.take(claim, ATTEMPT_LEASE_MS))) return;
    try {
      if (!delivery?.order || (await this.#isFirst(delivery))) await this.#deliver(target);
    } finally {
      await this.claims.release(claim);
    }
  }

  async #isFirst({ tenant_id: tenantId, id, order }: DeliveryRecord): Promise<boolean> {
    const where = { term: 'order', is: order?.key ?? '' } as const;
    const { records } = await this.services.store.find('deliveries', { tenantId, where });
    return records.sort(byOrder)[0]?.id === id;
  }

  async #deliver(target: DeliveryTarget): Promise<void> {
    const { store } = this.services;
    const { tenant_id: tenantId, id } = target;
    const delivery = await store.get('deliveries', tenantId, id);
    const { signal } = this.#closing;
    if (signal.aborted) return;
    const secret = delivery && (await findSecret(delivery, store));
    const event = delivery?.event && (await store.get('events', tenantId, delivery.event.record));
    const isOrphan = delivery?.event !== undefined && !event;
    const webhook = await findWebhook(delivery, store);
    if (!delivery || secret === undefined || isOrphan || webhook?.disabled_at !== undefined)
      return this.#finish(target, delivery);
    // Another process has just made an attempt.
    if (Date.parse(delivery.next_attempt_at) > this.#clockOf(delivery).now())
      return this.#scheduleOne(delivery);
    const attempt = await this.#send(delivery, event, secret);
    // An attempt that the shutdown aborted does not count.
    if ('error' in attempt.result && signal.aborted) return;
    if (webhook) await noteOutcome(webhook, isDelivered(attempt), this.#clockOf(delivery).now(), store);
    await this.#recordAttempt(delivery, attempt);
  }

  async #send(delivery: DeliveryRecord, stored: EventRecord | undefined, secret: string): Promise<Attempt> {
    const start = performance.now();
    const { tenant_id: tenantId, id: requestId, trace_id: traceId, url, event, attempts } = delivery;
    const time = this.#clockOf(delivery).timestamp();
    const { signal } = this.#closing;
    const result: AttemptResult = await sendWebhook(delivery, stored, secret, signal, this.services).catch(
      (error: unknown) => ({ error: error instanceof Error ? error.message : 'The request failed.' }),
    );
    const durationMs = performance.now() - start;
    const status = 'status' in result ? result.status : undefined;
    this.#limits.noteResult(delivery, status !== undefined);
    this.services.tracing?.recordDelivery({
      ...{ method: 'POST', url, status, durationMs },
      ...{ tenantId, requestId, traceId, attempt: attempts + 1, eventType: event?.type },
    });
    const outbound: OutboundCall = {
      ...{ source: event ? 'webhook' : 'callback', time, method: 'POST', url: maskUrl(url) },
      ...('error' in result ? result : { status: result.status }),
      duration_ms: durationMs,
    };
    return { result, outbound };
  }

  async #recordAttempt(delivery: Stored<DeliveryRecord>, { result, outbound }: Attempt): Promise<void> {
    const attempts = delivery.attempts + 1;
    const delivered = isDelivered({ result });
    await this.#emit(delivery, { ...result, attempt: attempts, delivered }, outbound);
    const delay = delivered ? undefined : retryDelayMs(attempts);
    if (delay === undefined) {
      this.done(delivery);
      return this.#finish(delivery, delivery);
    }
    const attemptedAt = this.#clockOf(delivery).countFrom(Date.parse(delivery.next_attempt_at));
    const next_attempt_at = formatTimestamp(attemptedAt + delay);
    const last_error = 'error' in result ? result.error : `The receiver answered with ${result.status}.`;
    const change = { attempts, last_error, next_attempt_at };
    await updateDelivery(this.services.store, delivery, (record) => ({ ...record, ...change }));
    this.#scheduleOne({ ...delivery, ...change });
  }

  /** Emits the event of an attempt: of a webhook, or of the callback of a reactor. */
  async #emit(
    delivery: DeliveryRecord,
    attempt: AttemptResult & { attempt: number; delivered: boolean },
    outbound: OutboundCall,
  ): Promise<void> {
    const { id: request_id, tenant_id, reactor_id, event } = delivery;
    const { store, records } = this.services;
    const outcome = { time: this.#clockOf(delivery).timestamp(), tenant_id, request_id, ...attempt };
    if (event) {
      const { id: event_id, type: event_type, webhook_id } = event;
      records.add({ kind: 'webhook', ...outcome, webhook_id, event_id, event_type }, outbound);
    } else if (reactor_id !== undefined) {
      const reactor = await store.get('reactors', tenant_id, reactor_id);
      const name = reactor && { reactor_name: reactor.name };
      records.add({ kind: 'callback', ...outcome, reactor_id, ...name }, outbound);
    }
  }

  async #finish(target: DeliveryTarget, delivery: DeliveryRecord | undefined): Promise<void> {
    if (delivery) await removeDelivery(delivery, this.services);
    const next = this.#order.next(target);
    if (next !== undefined) this.track(this.run(next));
  }
}

type Attempt = { result: AttemptResult; outbound: OutboundCall };

/** A receiver's response, or why there was none: refused by the network policy, connection failed. */
type AttemptResult = { status: number; response?: string } | { error: string };

const isDelivered = ({ result }: Pick<Attempt, 'result'>): boolean =>
  'status' in result && result.status >= 200 && result.status < 300;

/** Finds the webhook whose failures count and that may be disabled: a ping is sent in any case. */
async function findWebhook(delivery: DeliveryRecord | undefined, store: Pick<Store, 'get'>) {
  if (!delivery?.event || delivery.event.type === PING_EVENT) return undefined;
  return store.get('webhooks', delivery.tenant_id, delivery.event.webhook_id);
}
