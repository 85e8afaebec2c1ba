import { LRUCache } from 'lru-cache';
import { CachesByTenant, type TotalLimits } from './caches-by-tenant.js';

interface RecentLimits {
  items: number;
  /** The memory of all of them, in bytes. The newest is always kept, even if it is larger. */
  bytes: number;
}

type Recent<Item extends object> = LRUCache<Item, number>;

/** The tenants whose recent items are kept apart, and the memory of all their lists. */
const ALL_TENANTS: TotalLimits = { tenants: 200, bytes: 64 * 1024 ** 2 };

const KEPT: RecentLimits = { items: 1_000, bytes: 8 * 1024 ** 2 };

/** Recent items of all tenants. A tenant has a list of its own, which no other one fills. */
export class RecentByTenant<Item extends object> {
  readonly #all: Recent<Item>;
  readonly #tenants: CachesByTenant<Recent<Item>>;

  /** @param limits of each list */
  constructor(private readonly limits: RecentLimits = KEPT) {
    const create = (): Recent<Item> => new LRUCache({ maxSize: limits.bytes });
    this.#all = create();
    this.#tenants = new CachesByTenant(create, ALL_TENANTS);
  }

  /** Adds an item, or keeps one that has changed. @param bytes about how much memory it takes now */
  add(item: Item, tenantId: string | undefined, bytes: number): void {
    this.#add(this.#all, item, bytes);
    if (tenantId !== undefined) this.#tenants.add(tenantId, (recent) => this.#add(recent, item, bytes));
  }

  #add(recent: Recent<Item>, item: Item, bytes: number): void {
    recent.set(item, bytes, { size: Math.min(bytes, this.limits.bytes) });
    if (recent.size > this.limits.items) recent.pop();
  }

  list(tenantId?: string): Item[] {
    const recent = tenantId === undefined ? this.#all : this.#tenants.get(tenantId);
    return [...(recent?.rkeys() ?? [])];
  }

  /** Discards the list of a tenant, or all. The list of all tenants keeps the items of a tenant. */
  clear(tenantId?: string): void {
    if (tenantId !== undefined) return void this.#tenants.delete(tenantId);
    this.#all.clear();
    this.#tenants.clear();
  }

  /** Discards the items of a tenant, or all, from the list of all tenants as well. */
  forget(tenantId?: string): void {
    for (const item of this.list(tenantId)) this.#all.delete(item);
    this.clear(tenantId);
  }
}
