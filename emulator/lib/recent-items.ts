import { LRUCache } from 'lru-cache';
import { ListsByTenant, type TotalLimits } from './lists-by-tenant.js';

/** What a list of recent items keeps. */
export interface RecentLimits {
  /** The number of items. */
  items: number;
  /** The memory of all of them, in bytes. The newest is always kept, even if it is larger. */
  bytes: number;
}

/** A list that drops its oldest items. */
class Recent<Item extends object> {
  /** The bytes of each item. */
  readonly #items: LRUCache<Item, number>;

  constructor(private readonly limits: RecentLimits) {
    this.#items = new LRUCache({ maxSize: limits.bytes });
  }

  add(item: Item, bytes: number): void {
    const size = Math.min(Math.max(1, bytes), this.limits.bytes);
    this.#items.set(item, size, { size });
    if (this.#items.size > this.limits.items) this.#items.pop();
  }

  delete(item: Item): void {
    this.#items.delete(item);
  }

  get bytes(): number {
    return this.#items.calculatedSize;
  }

  dropOldest(): void {
    this.#items.pop();
  }

  list(): Item[] {
    return [...this.#items.rkeys()];
  }
}

/** The tenants whose recent items are kept apart, and the memory of all their lists. */
const ALL_TENANTS: TotalLimits = { tenants: 200, bytes: 64 * 1024 ** 2 };

/** What is kept of a tenant, and of all. */
export const KEPT: RecentLimits = { items: 1_000, bytes: 8 * 1024 ** 2 };

/** Recent items of all tenants. A tenant has a list of its own, which no other one fills. */
export class RecentByTenant<Item extends object> {
  #all: Recent<Item>;
  readonly #tenants: ListsByTenant<Recent<Item>>;

  /** @param limits of each list */
  constructor(private readonly limits: RecentLimits = KEPT) {
    this.#all = new Recent(limits);
    this.#tenants = new ListsByTenant(() => new Recent(limits), ALL_TENANTS);
  }

  /**
   * Adds an item, or makes it the newest again.
   * @param bytes about how much memory the item takes now
   */
  add(item: Item, tenantId: string | undefined, bytes: number): void {
    this.#all.add(item, bytes);
    if (tenantId !== undefined) this.#tenants.add(tenantId, (recent) => recent.add(item, bytes));
  }

  /** The items of a tenant, or of all; the newest last. */
  list(tenantId?: string): Item[] {
    return (tenantId === undefined ? this.#all : this.#tenants.get(tenantId))?.list() ?? [];
  }

  /** Discards the list of a tenant, or all. The list of all tenants keeps the items of a tenant. */
  clear(tenantId?: string): void {
    if (tenantId !== undefined) return void this.#tenants.delete(tenantId);
    this.#all = new Recent(this.limits);
    this.#tenants.clear();
  }

  /** Discards the items of a tenant, or all, from the list of all tenants as well. */
  forget(tenantId?: string): void {
    for (const item of this.list(tenantId)) this.#all.delete(item);
    this.clear(tenantId);
  }
}
