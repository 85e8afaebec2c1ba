import { ListsByTenant, type TotalLimits } from './lists-by-tenant.js';

/** What a list of recent items keeps. */
export interface RecentLimits {
  /** The number of items. */
  items: number;
  /** The memory of all of them, in bytes. The newest is always kept, even if it is larger. */
  bytes: number;
}

/** A list that drops its oldest items. */
class Recent<Item> {
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

/** The tenants whose recent items are kept apart, and the memory of all their lists. */
const ALL_TENANTS: TotalLimits = { tenants: 200, bytes: 64 * 1024 ** 2 };

/** Recent items of all tenants. A tenant has a list of its own, which no other one fills. */
export class RecentByTenant<Item> {
  #all: Recent<Item>;
  readonly #tenants: ListsByTenant<Recent<Item>>;

  /** @param limits of each list */
  constructor(private readonly limits: RecentLimits) {
    this.#all = new Recent(limits);
    this.#tenants = new ListsByTenant(() => new Recent(limits), ALL_TENANTS);
  }

  /** @param bytes about how much memory the item takes */
  add(item: Item, tenantId: string | undefined, bytes: number): void {
    this.#all.add(item, bytes);
    if (tenantId !== undefined) this.#tenants.add(tenantId, (recent) => recent.add(item, bytes));
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
}
