import type { Cancel } from '../../lib/clock.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import type { Context } from '../../operations/context.js';
import { problem, problemBody } from '../../problems/problem.js';
import { ConflictError } from '../../store/errors.js';
import type { DeliveryRecord, Stored } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import { discardForTokens, type InFlightRequest } from '../in-flight.js';
import { retryDelayMs } from './retry-delay.js';
import { sendWebhook } from './send.js';
import { Slots } from './slots.js';

type Needs = Pick<Context, 'store' | 'clock' | 'ids' | 'events' | 'logger' | 'headers' | 'options'>;

/** Where a result goes, and what the receiver gets should the emulator end before there is one. */
export interface PendingDelivery {
  tenantId: string;
  reactorId: string;
  url: string;
  traceId: string;
  /** Ids of the tokens that the invocation has touched so far: more come while it runs. */
  tokenIds: ReadonlySet<string>;
}

/** Deliveries that are sent at the same time: receivers that do not answer hold a place for ten seconds each. */
const CONCURRENT = 32;

/**
 * Delivers the results of asynchronous invocations (decisions.md, "Reactors"). What is to be delivered is stored before
 * the invocation is acknowledged and removed when a receiver took it, so that no acknowledged callback is ever lost.
 */
export class WebhookQueue {
  readonly #context: Needs;
  readonly #slots = new Slots(CONCURRENT);
  readonly #closing = new AbortController();
  /** Invocations that still run, by the id of their delivery: nothing to deliver yet. */
  readonly #running = new Map<string, InFlightRequest>();
  readonly #scheduled = new Map<string, Cancel>();
  /** Being sent, or waiting for a place; each goes on by itself. */
  readonly #underWay = new Set<string>();
  readonly #work = new Set<Promise<void>>();

  constructor(context: Needs) {
    this.#context = context;
  }

  /**
   * Stores the delivery, then lets `work` run and delivers what it gives.
   * @param check what else has to hold before that; throws when it does not
   * @param work gives the body; never rejects
   * @returns the request id, which the callback carries too
   */
  async enqueue(
    expected: PendingDelivery,
    check: () => Promise<void>,
    work: () => Promise<string>,
  ): Promise<string> {
    const { tenantId, tokenIds } = expected;
    const record = this.#record(expected);
    const running = { tenantId, tokenIds, discarded: false };
    // Before anything is waited for: a token may go any time from now on.
    this.#running.set(record.id, running);
    try {
      await check();
      await this.#context.store.commit([
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
   * The changes that take the data of tokens out of what is still to be delivered, to be committed with what removes the
   * tokens: removed means removed (decisions.md, "Expiration and purge"), and a receiver may be away for long.
   */
  async discardForTokens(tenantId: string, tokenIds: readonly string[]): Promise<Change[]> {
    discardForTokens(this.#running.values(), tenantId, tokenIds);
    const { records } = await this.#context.store.find('deliveries', {
      tenantId,
      where: { any: tokenIds.map((is) => ({ term: 'token', is })) },
    });
    return records.map((record) => ({ replace: 'deliveries', record: withoutResult(record) }));
  }

  /** Takes up what is stored: at the start, after a reset and after a restored snapshot. */
  async load(): Promise<void> {
    const { records } = await this.#context.store.find('deliveries', {});
    for (const cancel of this.#scheduled.values()) cancel();
    this.#scheduled.clear();
    for (const record of records) {
      if (!this.#running.has(record.id) && !this.#underWay.has(record.id)) this.#schedule(record);
    }
  }

  /** Breaks off what is being sent, and begins nothing more: it is delivered after the next start. */
  stop(): void {
    this.#closing.abort();
  }

  /** Waits for what is being stored, once stopped. Close the sandbox first: it ends what runs. */
  async drain(): Promise<void> {
    await Promise.all(this.#work);
  }

  #record({ tenantId, reactorId, url, traceId, tokenIds }: PendingDelivery): DeliveryRecord {
    const now = this.#context.clock.timestamp();
    return {
      id: this.#context.ids.uuid(),
      tenant_id: tenantId,
      reactor_id: reactorId,
      url,
      body: substitute('The emulator ended while the reactor ran.', traceId),
      token_ids: [...tokenIds],
      trace_id: traceId,
      attempts: 0,
      next_attempt_at: now,
      created_at: now,
    };
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error) => this.#context.logger.error('A callback could not be kept', error))
      .finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  async #finish({ tenant_id, id }: DeliveryRecord, body: string, running: InFlightRequest): Promise<void> {
    const { tokenIds } = running;
    try {
      if (!running.discarded)
        await this.#change(tenant_id, id, (record) => ({ ...record, body, token_ids: [...tokenIds] }));
      // Asked after that: a token may have gone while it was being written.
      if (running.discarded) await this.#change(tenant_id, id, withoutResult);
    } finally {
      this.#running.delete(id);
    }
    await this.#attempt(tenant_id, id);
  }

  /** Nothing when it is gone: the tenant was deleted or the emulator reset while the reactor ran. */
  async #change(
    tenantId: string,
    id: string,
    changed: (record: Stored<DeliveryRecord>) => Stored<DeliveryRecord>,
  ): Promise<void> {
    const stored = await this.#context.store.get('deliveries', tenantId, id);
    if (stored) await this.#commit([{ replace: 'deliveries', record: changed(stored) }]);
  }

  #schedule({ tenant_id, id, next_attempt_at }: DeliveryRecord): void {
    const cancel = this.#context.clock.at(Date.parse(next_attempt_at), () => {
      this.#scheduled.delete(id);
      // Not awaited: a receiver that is slow to answer must not hold up other tasks of the clock.
      this.#track(this.#attempt(tenant_id, id));
    });
    this.#scheduled.set(id, cancel);
  }

  async #attempt(tenantId: string, id: string): Promise<void> {
    this.#underWay.add(id);
    try {
      await this.#slots.use(() => this.#deliver(tenantId, id));
    } finally {
      this.#underWay.delete(id);
    }
  }

  async #deliver(tenantId: string, id: string): Promise<void> {
    const { store } = this.#context;
    const tenant = await store.get('tenants', tenantId, tenantId);
    const delivery = await store.get('deliveries', tenantId, id);
    if (!tenant || !delivery || this.#closing.signal.aborted) return;
    const status = await this.#send(delivery, tenant.webhook_secret);
    // Broken off by the end of the emulator: it counts as not made.
    if (status === undefined && this.#closing.signal.aborted) return;
    await this.#recordAttempt(delivery, status);
  }

  async #send(delivery: DeliveryRecord, secret: string): Promise<number | undefined> {
    try {
      return await sendWebhook(delivery, secret, this.#closing.signal, this.#context);
    } catch {
      return undefined;
    }
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
    const next_attempt_at = formatTimestamp(this.#context.clock.now() + delay);
    const record = { ...delivery, attempts, next_attempt_at };
    await this.#commit([{ replace: 'deliveries', record }]);
    this.#schedule(record);
  }

  #emit(delivery: DeliveryRecord, attempt: number, status: number | undefined, delivered: boolean): void {
    const { tenant_id, reactor_id, id } = delivery;
    this.#context.events.emit({
      kind: 'callback',
      time: this.#context.clock.timestamp(),
      tenant_id,
      reactor_id,
      request_id: id,
      attempt,
      ...(status !== undefined && { status }),
      delivered,
    });
  }

  /** Gone meanwhile (tenant deleted, reset): nothing is left to keep. */
  async #commit(changes: Change[]): Promise<void> {
    try {
      await this.#context.store.commit(changes);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}

function withoutResult(record: Stored<DeliveryRecord>): Stored<DeliveryRecord> {
  const body = substitute('The result is gone with a token that it used.', record.trace_id);
  return { ...record, body, token_ids: [] };
}

/** What is delivered in place of a result that there is not, or no longer. */
function substitute(why: string, traceId: string): string {
  return JSON.stringify(problemBody(problem('unavailable', why), traceId));
}
