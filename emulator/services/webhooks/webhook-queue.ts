import pLimit from 'p-limit';
import type { Cancel, Clock } from '../../lib/clock.js';
import type { Ids } from '../../lib/ids.js';
import type { Logger } from '../../lib/logger.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import { ConflictError } from '../../store/errors.js';
import type { DeliveryRecord, Stored } from '../../store/records.js';
import type { Change, Store } from '../../store/store.js';
import type { Events } from '../events.js';
import { discardInFlight, type InFlightRequest } from '../in-flight.js';
import { createDelivery, type PendingDelivery, withoutResult } from './delivery-record.js';
import { retryDelayMs } from './retry-delay.js';
import { type SendServices, sendWebhook } from './send.js';

interface WebhookServices extends SendServices {
  store: Store;
  clock: Clock;
  ids: Pick<Ids, 'uuid'>;
  events: Pick<Events, 'emit'>;
  logger: Logger;
}

/** Deliveries that are sent at the same time. A receiver that does not respond occupies one for ten seconds. */
const CONCURRENT_DELIVERIES = 32;

/**
 * Delivers the results of asynchronous invocations (decisions.md, "Reactors"). A delivery is stored before the
 * invocation is acknowledged and deleted after a receiver has accepted it, so that no acknowledged callback is lost.
 */
export class WebhookQueue {
  readonly #services: WebhookServices;
  readonly #limit = pLimit(CONCURRENT_DELIVERIES);
  readonly #closing = new AbortController();
  /** Invocations that still run, by the id of their delivery. */
  readonly #running = new Map<string, InFlightRequest>();
  readonly #scheduled = new Map<string, Cancel>();
  /** Ids of the deliveries that are being sent or wait for one of the concurrent deliveries to finish. */
  readonly #sending = new Set<string>();
  readonly #work = new Set<Promise<void>>();

  constructor(services: WebhookServices) {
    this.#services = services;
  }

  /**
   * Stores the delivery, then starts `work` and delivers the body that it returns.
   * @param check throws when the invocation must not be acknowledged
   * @param work returns the body; never rejects
   * @returns the request id, which the callback carries too
   */
  async enqueue(
    pending: PendingDelivery,
    check: () => Promise<void>,
    work: () => Promise<string>,
  ): Promise<string> {
    const { ids, clock, store } = this.#services;
    const { tenantId, tokenIds } = pending;
    const record = createDelivery(ids.uuid(), pending, clock.timestamp());
    const running = { tenantId, tokenIds, discarded: false };
    // Before the first await: a token may be deleted at any time from now on.
    this.#running.set(record.id, running);
    try {
      await check();
      await store.commit([
        { require: 'tenants', tenantId },
        { insert: 'deliveries', record },
      ]);
    } catch (error) {
      this.#running.delete(record.id);
      throw error;
    }
    this.#track(work().then((body) => this.#finish(record, body, running)));
    return record.id;
  }

  /**
   * Returns the changes that remove the data of tokens from the deliveries, since a receiver may be unavailable for long
   * (decisions.md, "Expiration and purge"). Commit them with the change that deletes the tokens.
   */
  async discardForTokens(tenantId: string, tokenIds: readonly string[]): Promise<Change[]> {
    discardInFlight(this.#running.values(), tenantId, tokenIds);
    const { records } = await this.#services.store.find('deliveries', {
      tenantId,
      where: { any: tokenIds.map((is) => ({ term: 'token', is })) },
    });
    return records.map((record) => ({ replace: 'deliveries', record: withoutResult(record) }));
  }

  /** Schedules the stored deliveries: at the start, after a reset and after a restored snapshot. */
  async load(): Promise<void> {
    const { records } = await this.#services.store.find('deliveries', {});
    for (const cancel of this.#scheduled.values()) cancel();
    this.#scheduled.clear();
    for (const record of records) {
      if (!this.#running.has(record.id) && !this.#sending.has(record.id)) this.#schedule(record);
    }
  }

  /** Aborts the deliveries in flight and starts no more. The next start delivers them. */
  stop(): void {
    this.#closing.abort();
  }

  /** Waits until everything is stored. Call it after `stop` and after closing the sandbox, which ends the invocations. */
  async drain(): Promise<void> {
    await Promise.all(this.#work);
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error) => this.#services.logger.error('A callback could not be stored', error))
      .finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  async #finish({ tenant_id, id }: DeliveryRecord, body: string, running: InFlightRequest): Promise<void> {
    const { tokenIds } = running;
    try {
      if (!running.discarded)
        await this.#update(tenant_id, id, (record) => ({ ...record, body, token_ids: [...tokenIds] }));
      // Checked again: a token may have been deleted while the result was being stored.
      if (running.discarded) await this.#update(tenant_id, id, withoutResult);
    } finally {
      this.#running.delete(id);
    }
    await this.#attempt(tenant_id, id);
  }

  /** Does nothing when the delivery no longer exists, because its tenant was deleted or the emulator reset. */
  async #update(
    tenantId: string,
    id: string,
    change: (record: Stored<DeliveryRecord>) => Stored<DeliveryRecord>,
  ): Promise<void> {
    const record = await this.#services.store.get('deliveries', tenantId, id);
    if (record) await this.#commit([{ replace: 'deliveries', record: change(record) }]);
  }

  #schedule({ tenant_id, id, next_attempt_at }: DeliveryRecord): void {
    const cancel = this.#services.clock.at(Date.parse(next_attempt_at), () => {
      this.#scheduled.delete(id);
      // Not awaited: a slow receiver must not delay other tasks of the clock.
      this.#track(this.#attempt(tenant_id, id));
    });
    this.#scheduled.set(id, cancel);
  }

  async #attempt(tenantId: string, id: string): Promise<void> {
    this.#sending.add(id);
    try {
      await this.#limit(() => this.#deliver(tenantId, id));
    } finally {
      this.#sending.delete(id);
    }
  }

  async #deliver(tenantId: string, id: string): Promise<void> {
    const { store } = this.#services;
    const tenant = await store.get('tenants', tenantId, tenantId);
    const delivery = await store.get('deliveries', tenantId, id);
    const { signal } = this.#closing;
    if (!tenant || !delivery || signal.aborted) return;
    const status = await sendWebhook(delivery, tenant.webhook_secret, signal, this.#services).catch(
      () => undefined,
    );
    // An attempt that the shutdown aborted does not count.
    if (status === undefined && signal.aborted) return;
    await this.#recordAttempt(delivery, status);
  }

  async #recordAttempt(delivery: Stored<DeliveryRecord>, status: number | undefined): Promise<void> {
    const attempts = delivery.attempts + 1;
    const delivered = status !== undefined && status >= 200 && status < 300;
    this.#emit(delivery, attempts, status, delivered);
    const delay = delivered ? undefined : retryDelayMs(attempts);
    if (delay === undefined) {
      const { tenant_id: tenantId, id } = delivery;
      return this.#commit([{ remove: 'deliveries', tenantId, id }]);
    }
    const next_attempt_at = formatTimestamp(this.#services.clock.now() + delay);
    const record = { ...delivery, attempts, next_attempt_at };
    await this.#commit([{ replace: 'deliveries', record }]);
    this.#schedule(record);
  }

  #emit(delivery: DeliveryRecord, attempt: number, status: number | undefined, delivered: boolean): void {
    const { tenant_id, reactor_id, id } = delivery;
    this.#services.events.emit({
      kind: 'callback',
      time: this.#services.clock.timestamp(),
      tenant_id,
      reactor_id,
      request_id: id,
      attempt,
      ...(status !== undefined && { status }),
      delivered,
    });
  }

  /** A conflict means that the delivery was deleted or replaced by someone else: there is nothing left to store. */
  async #commit(changes: Change[]): Promise<void> {
    try {
      await this.#services.store.commit(changes);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}
