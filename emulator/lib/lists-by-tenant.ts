import { LRUCache } from 'lru-cache';

/** A list that knows about how much memory it takes, and can drop its oldest items. */
interface BoundedList {
  readonly bytes: number;
  dropOldest(): void;
}

/** Bounds of the lists of all tenants together. */
export interface TotalLimits {
  tenants: number;
  /** The memory of all lists. */
  bytes: number;
}

/**
 * A list for each tenant, which no other tenant fills. When all lists together take too much memory, the tenants that were
 * idle for the longest lose their oldest items.
 */
export class ListsByTenant<List extends BoundedList> {
  readonly #lists: LRUCache<string, List>;
  /** At least the memory of all lists: what was taken away since the last count is still in it. */
  #bytes = 0;

  /** @param create makes an empty list, which bounds itself */
  constructor(
    private readonly create: () => List,
    private readonly limits: TotalLimits,
  ) {
    this.#lists = new LRUCache({ max: limits.tenants });
  }

  get(tenantId: string): List | undefined {
    return this.#lists.get(tenantId);
  }

  /** Adds to the list of a tenant. */
  add(tenantId: string, add: (list: List) => void): void {
    let list = this.#lists.get(tenantId);
    if (list === undefined) {
      list = this.create();
      this.#lists.set(tenantId, list);
    }
    const before = list.bytes;
    add(list);
    this.#bytes += Math.max(0, list.bytes - before);
    if (this.#bytes > this.limits.bytes) this.#trim();
  }

  values(): Iterable<List> {
    return this.#lists.values() as Iterable<List>;
  }

  delete(tenantId: string): void {
    this.#lists.delete(tenantId);
  }

  clear(): void {
    this.#lists.clear();
  }

  #trim(): void {
    const { bytes: limit } = this.limits;
    this.#bytes = 0;
    for (const { bytes } of this.values()) this.#bytes += bytes;
    for (const list of this.#lists.rvalues() as Iterable<List>)
      while (this.#bytes > limit && list.bytes > 0) {
        const before = list.bytes;
        list.dropOldest();
        this.#bytes -= before - list.bytes;
      }
  }
}
