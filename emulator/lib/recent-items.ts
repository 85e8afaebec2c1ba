import { LRUCache } from 'lru-cache';

/** What a list of recent items keeps. */
export interface RecentLimits {
  /** The number of items. */
  items: number;
  /** The memory of all of them, in bytes. The newest is always kept, even if it is larger. */
  bytes: number;
}

/** A list that drops its oldest items. */
export class Recent<Item> {
  // Two halves, each within half of the memory and all of the items: the older is dropped as a whole, because removing
  // one item at a time would move the whole list for every request.
  #older: Item[] = [];
  #olderBytes = 0;
  #newer: Item[] = [];
  #newerBytes = 0;

  constructor(private readonly limits: RecentLimits) {}

  /** @param bytes about how much memory the item takes */
  add(item: Item, bytes: number): void {
    if (this.#newer.length >= this.limits.items || this.#newerBytes + bytes > this.limits.bytes / 2) {
      this.dropOldest();
    }
    this.#newer.push(item);
    this.#newerBytes += bytes;
  }

  /** About how much memory the items take. */
  get bytes(): number {
    return this.#olderBytes + this.#newerBytes;
  }

  /** Drops the older half. */
  dropOldest(): void {
    this.#older = this.#newer;
    this.#olderBytes = this.#newerBytes;
    this.#newer = [];
    this.#newerBytes = 0;
  }

  /** The newest last. */
  list(): Item[] {
    return [...this.#older, ...this.#newer].slice(-this.limits.items);
  }
}

/** The number of tenants whose recent items are kept apart, and the memory of all their lists in bytes. */
const KEPT_TENANTS = 200;
const KEPT_BYTES = 64 * 1024 ** 2;

/**
 * Recent items of all tenants. A tenant has a list of its own, which no other one fills. When all lists together take too much
 * memory, the tenants that were idle for the longest lose their oldest items.
 */
export class RecentByTenant<Item> {
  #all: Recent<Item>;
  /** The memory of the lists of tenants, in bytes. */
  #bytes = 0;
  readonly #tenants = new LRUCache<string, Recent<Item>>({
    max: KEPT_TENANTS,
    dispose: ({ bytes }) => {
      this.#bytes -= bytes;
    },
  });

  /** @param limits of each list */
  constructor(private readonly limits: RecentLimits) {
    this.#all = new Recent(limits);
  }

  /** @param bytes about how much memory the item takes */
  add(item: Item, tenantId: string | undefined, bytes: number): void {
    this.#all.add(item, bytes);
    if (tenantId === undefined) return;
    this.#change(this.#ofTenant(tenantId), (recent) => recent.add(item, bytes));
    if (this.#bytes > KEPT_BYTES) this.#trim();
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

  #trim(): void {
    const lists = [...this.#tenants.rvalues()] as Recent<Item>[];
    for (const list of lists)
      while (list.bytes > 0) {
        if (this.#bytes <= KEPT_BYTES) return;
        this.#change(list, (recent) => recent.dropOldest());
      }
  }

  #change(recent: Recent<Item>, change: (recent: Recent<Item>) => void): void {
    const before = recent.bytes;
    change(recent);
    this.#bytes += recent.bytes - before;
  }
}
