import { LRUCache } from 'lru-cache';

/** A cache that counts the bytes of its items, and drops those that were not used for the longest. */
interface BoundedCache {
  readonly calculatedSize: number;
  pop(): unknown;
}

export interface TotalLimits {
  tenants: number;
  /** The memory of all caches. */
  bytes: number;
}

/** A cache for each tenant. When all take too much memory, the tenants idle for the longest lose their oldest items. */
export class CachesByTenant<Cache extends BoundedCache> {
  readonly #caches: LRUCache<string, Cache>;
  /** At least the memory of all caches: what was taken away since the last count is still in it. */
  #bytes = 0;

  /** @param create makes an empty cache, which bounds itself */
  constructor(
    private readonly create: () => Cache,
    private readonly limits: TotalLimits,
  ) {
    // With `max`, it would allocate all of its places at once (goal S3).
    this.#caches = new LRUCache({ maxSize: limits.tenants, sizeCalculation: () => 1 });
  }

  get(tenantId: string): Cache | undefined {
    return this.#caches.get(tenantId);
  }

  add(tenantId: string, add: (cache: Cache) => void): void {
    let cache = this.#caches.get(tenantId);
    if (cache === undefined) {
      cache = this.create();
      this.#caches.set(tenantId, cache);
    }
    const before = cache.calculatedSize;
    add(cache);
    this.#bytes += Math.max(0, cache.calculatedSize - before);
    if (this.#bytes > this.limits.bytes) this.#trim();
  }

  values(): Iterable<Cache> {
    return this.#caches.values() as Iterable<Cache>;
  }

  delete(tenantId: string): void {
    this.#caches.delete(tenantId);
  }

  clear(): void {
    this.#caches.clear();
  }

  #trim(): void {
    this.#bytes = 0;
    for (const { calculatedSize } of this.values()) this.#bytes += calculatedSize;
    for (const cache of this.#caches.rvalues() as Iterable<Cache>)
      while (this.#bytes > this.limits.bytes && cache.calculatedSize > 0) {
        const before = cache.calculatedSize;
        cache.pop();
        this.#bytes -= before - cache.calculatedSize;
      }
  }
}
