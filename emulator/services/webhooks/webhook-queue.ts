import type { PendingDelivery } from '../../../src/contract/control/deliveries.js';
import { LIMITS } from '../../../src/contract/limits.js';
import { ignoreUnavailable } from '../../store/errors.js';
import type { DeliveryRecord } from '../../store/records.js';
import type { Change, Store } from '../../store/store.js';
import { discardInFlight, type InFlightRequest } from '../idempotency/record.js';
import { haveTokens } from '../live-tokens.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { createDelivery, describeDelivery, type ExpectedDelivery, withoutResult } from './delivery-record.js';
import { findBodies, findDeliveries, updateDelivery } from './pending-deliveries.js';
import { RecentCallbacks, storeAgain } from './recent-callbacks.js';
import type { WebhookServices } from './send.js';

/** Milliseconds between two looks for deliveries that another process has left. */
const POLL_MS = 1_000;
/** Milliseconds after which an invocation has ended, even if its process was killed. */
const RUN_LEASE_MS = LIMITS.asyncTimeoutMs.maximum + 30_000;

/**
 * Delivers the results of asynchronous invocations (decisions.md, "Reactors") and the events of webhooks. A delivery is stored before the
 * invocation is acknowledged and deleted after a receiver has accepted it, so that no acknowledged callback is lost.
 */
export class WebhookQueue {
  readonly #attempts: DeliveryAttempts;
  /** Invocations that still run, by the id of their delivery. */
  readonly #running = new Map<string, InFlightRequest>();
  readonly #recent = new RecentCallbacks();
  readonly #work = new Set<Promise<void>>();
  #poll: NodeJS.Timeout | undefined;

  constructor(private readonly services: WebhookServices) {
    this.#attempts = new DeliveryAttempts(
      services,
      (attempt) => this.#track(attempt),
      (delivery) => delivery.event || this.#recent.add(delivery),
    );
  }

  /**
   * Stores the delivery, then starts `work` and delivers the body that it returns.
   * @param check throws when the invocation must not be acknowledged
   * @param work returns the body; never rejects
   * @param request the store of the request that asks for the callback
   * @returns the request id, which the callback carries too
   * @throws ProblemError 507 when the tenant has too many pending deliveries
   */
  async enqueue(
    pending: ExpectedDelivery,
    check: () => Promise<void>,
    work: () => Promise<string>,
    request: Pick<Store, 'commit'>,
  ): Promise<string> {
    const { ids, clocks, room } = this.services;
    const { tenantId, tokenIds } = pending;
    const record = createDelivery(ids.uuid(), pending, clocks.of(tenantId).timestamp());
    const running = { tenantId, tokenIds, discarded: false };
    // Before the first await: a token may be deleted at any time from now on.
    this.#running.set(record.id, running);
    let release: (() => void) | undefined;
    try {
      await check();
      release = await room.reserve([{ tenantId, deliveries: 1, bytes: 0 }]);
      // Before it is stored: other processes deliver what no process has claimed.
      await this.#attempts.claims.take(record.id, RUN_LEASE_MS);
      await request.commit([
        { require: 'tenants', tenantId },
        { insert: 'deliveries', record },
      ]);
    } catch (error) {
      this.#running.delete(record.id);
      await this.#attempts.claims.release(record.id);
      throw error;
    } finally {
      release?.();
    }
    this.#track(work().then((body) => this.#finish(record, body, running)));
    return record.id;
  }

  /** Delivers stored events, each after the earlier ones about its entity. */
  deliver(records: readonly DeliveryRecord[]): void {
    for (const record of records) this.#attempts.enqueue(record);
  }

  /** Sends a callback again, or a pending one at once; undefined for no recent callback of the tenant, or one that runs. */
  async resend(id: string, tenantId?: string): Promise<PendingDelivery | undefined> {
    if (this.#running.has(id)) return undefined;
    const record = await storeAgain(id, tenantId, this.#recent, this.services);
    if (!record) return undefined;
    this.#attempts.retry(record);
    return describeDelivery(record);
  }

  /** Returns the changes that remove tokens' data from the deliveries, to commit with the tokens' deletion. */
  async discardForTokens(tenantId: string, tokenIds: readonly string[]): Promise<Change[]> {
    discardInFlight(this.#running.values(), tenantId, { tokenIds });
    this.#recent.discardForTokens(tenantId, tokenIds);
    const { records } = await this.services.store.find('deliveries', {
      tenantId,
      where: { any: tokenIds.map((is) => ({ term: 'token', is })) },
    });
    return records.map((record) => ({ replace: 'deliveries', record: withoutResult(record) }));
  }

  /** Schedules the stored deliveries, of a tenant or all: after a reset and after a restored snapshot. */
  async load(tenantId?: string): Promise<void> {
    const { store, room } = this.services;
    this.#recent.clear(tenantId);
    const bodies = await findBodies(store, tenantId);
    room.clear(tenantId);
    for (const { tenant_id, id, body } of bodies) room.add(tenant_id, id, body);
    await this.#scheduleStored(tenantId);
  }

  async #scheduleStored(tenantId?: string): Promise<void> {
    const records = await findDeliveries(this.services.store, tenantId);
    this.#attempts.schedule(
      records.filter(({ id }) => !this.#running.has(id)),
      tenantId,
    );
  }

  /** Schedules what was stored before the start, and from then on what processes leave that have ended. */
  start(): void {
    this.#track(this.load());
    if (!this.services.store.shared) return;
    this.#poll = setInterval(() => this.#track(this.#scheduleStored().catch(ignoreUnavailable)), POLL_MS);
    this.#poll.unref();
  }

  /** Aborts the deliveries in flight and starts no more. The next start delivers them. */
  stop(): void {
    clearInterval(this.#poll);
    this.#attempts.stop();
  }

  /** Waits until everything is stored. Call it after `stop` and after closing the sandbox, which ends the invocations. */
  async drain(): Promise<void> {
    await Promise.all(this.#work);
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error) => this.services.logger.error('A callback could not be stored', error))
      .finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  async #finish(delivery: DeliveryRecord, body: string, running: InFlightRequest): Promise<void> {
    const { store, room } = this.services;
    const [{ tenant_id, id }, { tokenIds }] = [delivery, running];
    try {
      await updateDelivery(store, delivery, (record) =>
        running.discarded ? withoutResult(record) : { ...record, body, token_ids: [...tokenIds] },
      );
      if (!running.discarded) room.add(tenant_id, id, body);
      // Another process may have deleted a token that this one does not know to be used.
      if (store.shared && !(await haveTokens(store, tenant_id, [...tokenIds]))) running.discarded = true;
      // Checked again: a token may have been deleted while the result was being stored.
      if (running.discarded) await updateDelivery(store, delivery, withoutResult);
    } finally {
      this.#running.delete(id);
      await this.#attempts.claims.release(id);
    }
    await this.#attempts.run(delivery);
  }
}
