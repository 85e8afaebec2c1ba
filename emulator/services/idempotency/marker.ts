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

  /** Returns the store as the request uses it. */
  wrap(): Store {
    return wrapStore(this.#store, { commit: (changes) => this.#commit(changes) });
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

  #commit(changes: Change[]): Promise<void> {
    const done = this.#turn.then(async () => {
      if (this.#isStored || this.#isOver) return this.#store.commit(changes);
      await this.#store.commit([...changes, { insert: 'idempotency', record: { ...this.#record } }]);
      this.#isStored = true;
    });
    this.#turn = done.catch(() => {});
    return done;
  }
}
