import { ConflictError } from '../../store/errors.js';
import type { IdempotencyRecord } from '../../store/records.js';
import type { Change, Store } from '../../store/store.js';
import { wrapStore } from '../../store/wrapped-store.js';

/**
 * Adds a record to the first commit that a request makes, so that what the request changes is never changed twice under its
 * idempotency key, even if the process is killed before it stores the response.
 */
export class IdempotencyMarker {
  readonly #store: Store;
  readonly #record: IdempotencyRecord;
  #isStored = false;
  #isOver = false;
  /** Commits of one request wait for each other until the record is stored. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(store: Store, record: IdempotencyRecord) {
    this.#store = store;
    this.#record = record;
  }

  /** Returns a store as the request uses it. */
  wrap(store: Store): Store {
    return wrapStore(store, { commit: (changes) => this.#commit(store, changes) });
  }

  /** Ends the request. Background work that continues does not belong to it. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#turn;
  }

  /** Removes the record: the request has failed, and may be repeated. */
  async remove(): Promise<void> {
    const { tenant_id: tenantId, id } = this.#record;
    await this.end();
    if (this.#isStored) await this.#store.commit([{ remove: 'idempotency', tenantId, id }]);
  }

  #commit(store: Store, changes: Change[]): Promise<void> {
    const done = this.#turn.then(async () => {
      if (this.#isStored || this.#isOver) return store.commit(changes);
      await this.#commitWithRecord(store, changes);
      this.#isStored = true;
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  /** The record takes the place of one that has expired, or whose response is no longer permitted. */
  async #commitWithRecord(store: Store, changes: Change[]): Promise<void> {
    const { tenant_id: tenantId, id } = this.#record;
    const isOwn = (change: Change) =>
      'remove' in change && change.remove === 'idempotency' && change.id === id;
    for (;;) {
      const earlier = !changes.some(isOwn) && (await store.get('idempotency', tenantId, id));
      const removal: Change[] = earlier ? [{ remove: 'idempotency', tenantId, id }] : [];
      try {
        return await store.commit([
          ...changes,
          ...removal,
          { insert: 'idempotency', record: { ...this.#record } },
        ]);
      } catch (error) {
        // The earlier one was swept in the meantime.
        if (!removal.length || !(error instanceof ConflictError) || error.id !== id) throw error;
      }
    }
  }
}
