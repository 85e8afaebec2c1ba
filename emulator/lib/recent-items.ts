import { LRUCache } from 'lru-cache';

/** What a list of recent items keeps. */
export interface RecentLimits {
  /** The number of items. */
  items: number;
  /** The memory of all of them, in bytes. The newest is kept whatever its size. */
  bytes: number;
}

/** A list that drops its oldest items. */
export class Recent<Item> {
  // Two halves, each within half of the memory and all of the items: the older is dropped as a whole, because removing
  // one item at a time would move the whole list for every request.
  #older: Item[] = [];
  #newer: Item[] = [];
  #newerBytes = 0;

  constructor(private readonly limits: RecentLimits) {}

  /** @param bytes about how much memory the item takes */
  add(item: Item, bytes: number): void {
    if (this.#newer.length >= this.limits.items || this.#newerBytes + bytes > this.limits.bytes / 2) {
      this.#older = this.#newer;
      this.#newer = [];
      this.#newerBytes = 0;
    }
    this.#newer.push(item);
    this.#newerBytes += bytes;
  }

  /** The newest last. */
  list(): Item[] {
    return [...this.#older, ...this.#newer].slice(-this.limits.items);
  }
}

/** The number of tenants whose recent items are kept apart. */
const KEPT_TENANTS = 200;

/** Recent items of all tenants. A tenant has a list of its own, which no other one fills. */
export class RecentByTenant<Item> {
  #all: Recent<Item>;
  readonly #tenants = new LRUCache<string, Recent<Item>>({ max: KEPT_TENANTS });

  /** @param limits of each list */
  constructor(private readonly limits: RecentLimits) {
    this.#all = new Recent(limits);
  }

  /** @param bytes about how much memory the item takes */
  add(item: Item, tenantId: string | undefined, bytes: number): void {
    this.#all.add(item, bytes);
    if (tenantId !== undefined) this.#ofTenant(tenantId).add(item, bytes);
  }

  /** The items of a tenant, or of all; the newest last. */
  list(tenantId?: string): Item[] {
    return (tenantId === undefined ? this.#all : this.#tenants.get(tenantId))?.list() ?? [];
  }

  /** Discards the list of a tenant, or all. */
  clear(tenantId?: string): void {
    if (tenantId !== undefined) return void this.#tenants.delete(tenantId);
    this.#all = new Recent(this.limits);
    this.#tenants.clear();
  }

  #ofTenant(tenantId: string): Recent<Item> {
    const known = this.#tenants.get(tenantId);
    if (known) return known;
    const recent = new Recent<Item>(this.limits);
    this.#tenants.set(tenantId, recent);
    return recent;
  }
}
