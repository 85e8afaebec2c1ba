import { collectionOf } from './collections.js';
import type { Condition } from './condition.js';
import { matches } from './matches.js';
import type { RecordChange } from './record-change.js';
import type { CollectionName } from './records.js';

type OneRecord = Exclude<RecordChange, { op: 'clear' }>;

/** Changes that are not visible yet: those of a commit being validated, or of the batch being written. */
export class PendingChanges {
  readonly changes: RecordChange[] = [];
  /** The last change of each record since the last clear, by the name of the record. */
  readonly #last = new Map<string, OneRecord>();
  /** The tenants that were cleared, in order; undefined stands for all. */
  readonly cleared: (string | undefined)[] = [];

  add(change: RecordChange): void {
    this.changes.push(change);
    const { op, tenantId } = change;
    if (op !== 'clear') {
      const id = op === 'put' ? change.record.id : change.id;
      this.#last.set(nameOf(change.collection, change.tenantId, id), change);
      return;
    }
    this.cleared.push(tenantId);
    for (const [name, one] of this.#last)
      if (tenantId === undefined || one.tenantId === tenantId) this.#last.delete(name);
  }

  /** What is left of the changes after the last clear: the last one of each record. */
  get last(): OneRecord[] {
    return [...this.#last.values()];
  }

  /** Whether one of the changes is of a record. */
  touches(collection: CollectionName, tenantId: string, id: string): boolean {
    return this.isCleared(tenantId) || this.#last.has(nameOf(collection, tenantId, id));
  }

  isCleared(tenantId: string): boolean {
    return this.cleared.includes(undefined) || this.cleared.includes(tenantId);
  }

  /** The revision that a record will have; undefined if it is untouched or will not exist. */
  revisionOf(collection: CollectionName, tenantId: string, id: string): number | undefined {
    const last = this.#last.get(nameOf(collection, tenantId, id));
    return last?.op === 'put' ? last.revision : undefined;
  }

  /** Returns the id of a pending record, other than the excepted one, that meets a condition. */
  match(collection: CollectionName, tenantId: string, where: Condition, except: string): string | undefined {
    for (const change of this.#last.values()) {
      if (change.op !== 'put' || change.collection !== collection || change.tenantId !== tenantId) continue;
      const { record } = change;
      if (record.id !== except && matches(collectionOf(collection), record, where)) return record.id;
    }
    return undefined;
  }
}

function nameOf(collection: CollectionName, tenantId: string, id: string): string {
  return `${collection}\0${tenantId}\0${id}`;
}
