/** A map of bounded size that forgets what was used longest ago. */
export class LruCache<V> {
  readonly #entries = new Map<string, V>();

  constructor(private readonly capacity: number) {}

  /** The cached value, or the one that `create` makes; when it throws, nothing is kept. */
  getOrCreate(key: string, create: () => V): V {
    const found = this.#entries.get(key);
    if (found === undefined) return this.#keep(key, create());
    // As long as nothing must go, nobody asks for the order.
    if (this.#entries.size < this.capacity) return found;
    this.#entries.delete(key);
    return this.#keep(key, found);
  }

  #keep(key: string, value: V): V {
    this.#entries.set(key, value);
    if (this.#entries.size > this.capacity) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    return value;
  }
}
