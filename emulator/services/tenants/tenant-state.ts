import type { TenantClocks } from '../../lib/tenant-clocks.js';
import type { SharedStore } from '../../store/store.js';
import type { FaultInjector } from '../fault-injector.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import type { RequestRecords } from '../request-record/request-records.js';
import type { TenantRedirects } from '../tenant-redirects.js';
import type { EventPublisher } from '../webhooks/event-publisher.js';
import type { WebhookQueue } from '../webhooks/webhook-queue.js';

export const DISCARDED_STATE = 'discarded_tenants';

/** Discarded tenants that are remembered until the other processes have read them. */
const KEPT = 200;

/** The number of discarded tenants, and the ids of the last ones. */
export type Discarded = { count: number; recent: string[] };

interface TenantStateServices {
  clocks: Pick<TenantClocks, 'remove'>;
  faults: Pick<FaultInjector, 'clear'>;
  idempotency: Pick<Idempotency, 'discardForTenant'>;
  records: Pick<RequestRecords, 'clear'>;
  redirects: Pick<TenantRedirects, 'clear'>;
  webhookEvents: Pick<EventPublisher, 'clear'>;
  webhookQueue: Pick<WebhookQueue, 'load'>;
  /** Present if other processes share the store. */
  shared?: SharedStore | undefined;
}

/** What the emulator keeps of a tenant apart from its stored records: clock, faults, redirects, request records, responses, scheduled deliveries. */
export class TenantState {
  #seen: number | undefined;

  constructor(private readonly services: TenantStateServices) {}

  /** Discards all of it, after the tenant was deleted or reset. */
  async discard(tenantId: string): Promise<void> {
    const { clocks, faults, redirects, shared } = this.services;
    await clocks.remove(tenantId);
    await faults.clear(tenantId);
    await redirects.clear(tenantId);
    await this.#forget(tenantId);
    await shared?.updateState<Discarded>(DISCARDED_STATE, ({ count, recent } = { count: 0, recent: [] }) => ({
      count: count + 1,
      recent: [...recent, tenantId].slice(-KEPT),
    }));
  }

  /** Discards what this process keeps of the tenants that another one has discarded. */
  async adopt({ count, recent }: Discarded = { count: 0, recent: [] }): Promise<void> {
    const unseen = this.#seen === undefined ? 0 : count - this.#seen;
    this.#seen = count;
    if (unseen > 0) for (const tenantId of recent.slice(-unseen)) await this.#forget(tenantId);
  }

  async #forget(tenantId: string): Promise<void> {
    const { idempotency, records, webhookEvents, webhookQueue } = this.services;
    idempotency.discardForTenant(tenantId);
    records.clear(tenantId);
    webhookEvents.clear(tenantId);
    await webhookQueue.load(tenantId);
  }
}
