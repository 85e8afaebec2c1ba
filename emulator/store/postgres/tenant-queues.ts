import type { Logger } from '../../lib/logger.js';
import { CommitQueue } from '../commit-queue.js';
import type { CommitTarget } from '../commit-target.js';
import type { Change, Entry } from '../store.js';
import { type LockedTenants, lockedBy } from './tenant-locks.js';

/** Queues above which those are forgotten that have nothing to do. */
const KEPT_QUEUES = 100;

/** A queue for the commits of each tenant, and of each set of tenants: what is asked of one waits for no other. */
export class TenantQueues {
  readonly #createTarget: (tenants: LockedTenants) => CommitTarget;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #queues = new Map<string, CommitQueue>();

  constructor(createTarget: (tenants: LockedTenants) => CommitTarget, logger: Pick<Logger, 'warn'>) {
    this.#createTarget = createTarget;
    this.#logger = logger;
  }

  async commit(changes: Change[]): Promise<void> {
    const tenants = lockedBy(changes);
    const isOfOne = tenants !== 'all' && tenants.length === 1;
    // What was recorded before a clear goes with it. The queue of one tenant knows its entries.
    if (!isOfOne && changes.some((change) => 'clear' in change)) await this.writeEntries(tenants);
    await this.#of(tenants).commit(changes);
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

  #of(tenants: LockedTenants): CommitQueue {
    const name = tenants === 'all' ? '\0' : tenants.join('\0');
    const known = this.#queues.get(name);
    if (known) return known;
    if (this.#queues.size >= KEPT_QUEUES)
      for (const [other, queue] of this.#queues) if (queue.isIdle) this.#queues.delete(other);
    const queue = new CommitQueue(this.#createTarget(tenants), this.#logger);
    this.#queues.set(name, queue);
    return queue;
  }
}
