import { ConflictError, ignoreConflict } from '../../store/errors.js';
import type { IdempotencyRecord } from '../../store/records.js';
import type { Change, Store } from '../../store/store.js';

type Write = (changes: Change[]) => Promise<void>;

/** Adds a record to the first commit of a request, so that nothing is changed twice under its key, whatever is killed. */
export class IdempotencyMarker {
  #isStored = false;
  #isOver = false;
  /** Commits of one request wait for each other until the record is stored. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly record: IdempotencyRecord,
  ) {}

  /** Makes a commit of the request; the first one stores the record as well. @param write may be called again after a conflict */
  commit(changes: Change[], write: Write): Promise<void> {
    const done = this.#turn.then(async () => {
      if (this.#isStored || this.#isOver) return write(changes);
      await this.#commitWithRecord(changes, write);
      this.#isStored = true;
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Runs the request. If it fails, its record is removed: it may be repeated. Background work that continues does not belong to it. */
  async run<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      await this.#end();
      const { tenant_id: tenantId, id } = this.record;
      if (this.#isStored)
        await this.store.commit([{ remove: 'idempotency', tenantId, id }]).catch(ignoreConflict);
      throw error;
    } finally {
      await this.#end();
    }
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    await this.#turn;
  }

  /** The record takes the place of one that has expired, or whose response is no longer permitted. */
  async #commitWithRecord(changes: Change[], write: Write): Promise<void> {
    const { tenant_id: tenantId, id } = this.record;
    const isOwn = (change: Change) =>
      'remove' in change && change.remove === 'idempotency' && change.id === id;
    for (;;) {
      const earlier = !changes.some(isOwn) && (await this.store.get('idempotency', tenantId, id));
      const removal: Change[] = earlier ? [{ remove: 'idempotency', tenantId, id }] : [];
      try {
        return await write([...changes, ...removal, { insert: 'idempotency', record: { ...this.record } }]);
      } catch (error) {
        // The earlier one was swept in the meantime.
        if (!removal.length || !(error instanceof ConflictError) || error.id !== id) throw error;
      }
    }
  }
}
