import type { Logger } from '../../lib/logger.js';
import { CommitQueue } from '../commit-queue.js';
import type { CommitTarget } from '../commit-target.js';
import type { Change, Entry } from '../store.js';
import { type LockedTenants, lockedBy } from './tenant-locks.js';

/** Queues above which those are forgotten that have nothing to do. */
const KEPT_QUEUES = 100;

const isOfOne = (tenants: LockedTenants): boolean => tenants !== 'all' && tenants.length === 1;

function overlap(one: LockedTenants, other: LockedTenants): boolean {
  return one === 'all' || other === 'all' || one.some((tenant) => other.includes(tenant));
}

/** A queue for the commits of each tenant, and of several together, which keep their order with those of each. */
export class TenantQueues {
  readonly #queues = new Map<string, CommitQueue>();
  readonly #running = new Set<{ tenants: LockedTenants; done: Promise<void> }>();

  constructor(
    private readonly createTarget: (tenants: LockedTenants) => CommitTarget,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  async commit(changes: Change[]): Promise<void> {
    const tenants = lockedBy(changes);
    const earlier = [...this.#running].filter(
      (one) => !(isOfOne(tenants) && isOfOne(one.tenants)) && overlap(one.tenants, tenants),
    );
    const waited = earlier.map((one) => one.done);
    const running = { tenants, done: this.#commitAfter(waited, tenants, changes) };
    this.#running.add(running);
    await running.done.finally(() => this.#running.delete(running));
  }

  record(entries: readonly Entry[]): void {
    for (const entry of entries) this.#of([entry.record.tenant_id]).record([entry]);
  }

  /** Waits for the entries that were recorded before the call. */
  async writeEntries(tenants: LockedTenants): Promise<void> {
    const queues = tenants === 'all' ? [...this.#queues.values()] : tenants.map((id) => this.#queues.get(id));
    await Promise.all(queues.map((queue) => queue?.writeEntries()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }

  async #commitAfter(earlier: Promise<void>[], tenants: LockedTenants, changes: Change[]): Promise<void> {
    if (earlier.length > 0) await Promise.allSettled(earlier);
    // What was recorded before a clear goes with it. The queue of one tenant knows its entries.
    if (!isOfOne(tenants) && changes.some((change) => 'clear' in change)) await this.writeEntries(tenants);
    await this.#of(tenants).commit(changes);
  }

  #of(tenants: LockedTenants): CommitQueue {
    const name = tenants === 'all' ? '\0' : tenants.join('\0');
    const known = this.#queues.get(name);
    if (known) return known;
    if (this.#queues.size >= KEPT_QUEUES)
      for (const [other, queue] of this.#queues) if (queue.isIdle) this.#queues.delete(other);
    const queue = new CommitQueue(this.createTarget(tenants), this.logger);
    this.#queues.set(name, queue);
    return queue;
  }
}
