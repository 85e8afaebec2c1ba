import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { VisibleError } from '../../outcome.js';

/**
 * Objects that code has created and whose state the host keeps, by an id that other code of this thread cannot guess. The oldest
 * ones end when there are too many.
 */
export class HostObjects<T extends object> {
  readonly #kind: string;
  readonly #objects = new LRUCache<string, T>({ max: 1_000 });

  /** @param kind what the objects are, in an error message */
  constructor(kind: string) {
    this.#kind = kind;
  }

  add(object: T): string {
    const id = randomUUID();
    this.#objects.set(id, object);
    return id;
  }

  find(id: string): T {
    const object = this.#objects.get(id);
    if (object) return object;
    throw new VisibleError(`The ${this.#kind} is no longer available.`, 'Error', 'ERR_CRYPTO_INVALID_STATE');
  }
}
