import { ListsByTenant, type TotalLimits } from './lists-by-tenant.js';

/** What a list of recent items keeps. */
interface RecentLimits {
  /** The number of items. */
  items: number;
  /** The memory of all of them, in bytes. The newest is always kept, even if it is larger. */
  bytes: number;
}

/** Items, the oldest first, with the memory that each takes. */
class Half<Item> {
  readonly items = new Map<Item, number>();
  bytes = 0;

  set(item: Item, bytes: number): void {
    this.bytes += bytes - (this.items.get(item) ?? 0);
    this.items.set(item, bytes);
  }

  delete(item: Item): void {
    this.bytes -= this.items.get(item) ?? 0;
    this.items.delete(item);
  }
}

/** A list that drops its oldest items. */
class Recent<Item extends object> {
  // Two halves, each within half of the memory and all of the items: the older is dropped as a whole, because removing
  // one item at a time would cost every request more than the rest of its record: 7 µs instead of 2.
  #older = new Half<Item>();
  #newer = new Half<Item>();

  constructor(private readonly limits: RecentLimits) {}

  add(item: Item, bytes: number): void {
    const { items, bytes: all } = this.#newer;
    const before = items.get(item);
    const isAlone = items.size === (before === undefined ? 0 : 1);
    const isFull = before === undefined && items.size >= this.limits.items;
    const isLarge = all - (before ?? 0) + bytes > this.limits.bytes / 2;
    if (!isAlone && (isFull || isLarge)) this.dropOldest();
    this.#newer.set(item, bytes);
    if (this.bytes > this.limits.bytes) this.#older = new Half();
  }

  delete(item: Item): void {
    this.#older.delete(item);
    this.#newer.delete(item);
  }

  get bytes(): number {
    return this.#older.bytes + this.#newer.bytes;
  }

  /** Drops the older half. */
  dropOldest(): void {
    this.#older = this.#newer;
    this.#newer = new Half();
  }

  /** The newest last. */
  list(): Item[] {
    const older = [...this.#older.items.keys()].filter((item) => !this.#newer.items.has(item));
    return [...older, ...this.#newer.items.keys()].slice(-this.limits.items);
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
   * Adds an item, or keeps one that has changed.
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

/** What an object or array, a property without its name, and any other value take, in bytes. */
const COMPOSITE_BYTES = 64;
const PROPERTY_BYTES = 16;
const LEAF_BYTES = 16;

/** Estimates the memory that a JSON value takes, in bytes. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return LEAF_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return LEAF_BYTES;
  let bytes = COMPOSITE_BYTES;
  if (Array.isArray(value)) for (const item of value) bytes += PROPERTY_BYTES + estimateBytes(item);
  else
    for (const name in value)
      bytes += PROPERTY_BYTES + name.length + estimateBytes((value as Record<string, unknown>)[name]);
  return bytes;
}
