import { collectionOf } from './collections.js';
import type { Condition } from './condition.js';
import { matches } from './matches.js';
import type { RecordChange } from './record-change.js';
import type { CollectionName } from './records.js';

type OneRecord = Exclude<RecordChange, { op: 'clear' }>;

/** Changes that are not visible yet: those of a commit being validated, or of the batch being written. */
export class PendingChanges {
  readonly changes: RecordChange[] = [];
  /** The last change of each record since the last clear, by its id: ids of other collections and tenants may be the same. */
  readonly #last = new Map<string, OneRecord[]>();
  /** The tenants that were cleared, in order; undefined stands for all. */
  readonly cleared: (string | undefined)[] = [];

  add(change: RecordChange): void {
    this.changes.push(change);
    const { op, tenantId } = change;
    if (op === 'clear') {
      this.cleared.push(tenantId);
      for (const [id, ones] of this.#last)
        this.#last.set(id, tenantId === undefined ? [] : ones.filter((one) => one.tenantId !== tenantId));
      return;
    }
    const id = op === 'put' ? change.record.id : change.id;
    const others = this.#last.get(id)?.filter((one) => !isOf(one, change.collection, tenantId)) ?? [];
    this.#last.set(id, [...others, change]);
  }

  /** What is left of the changes after the last clear: the last one of each record. */
  get last(): OneRecord[] {
    return [...this.#last.values()].flat();
  }

  /** Whether one of the changes is of a record. */
  touches(collection: CollectionName, tenantId: string, id: string): boolean {
    return this.isCleared(tenantId) || this.#find(collection, tenantId, id) !== undefined;
  }

  isCleared(tenantId: string): boolean {
    return this.cleared.includes(undefined) || this.cleared.includes(tenantId);
  }

  /** The revision that a record will have; undefined if it is untouched or will not exist. */
  revisionOf(collection: CollectionName, tenantId: string, id: string): number | undefined {
    const last = this.#find(collection, tenantId, id);
    return last?.op === 'put' ? last.revision : undefined;
  }

  /** Returns the id of a pending record, other than the excepted one, that meets a condition. */
  match(collection: CollectionName, tenantId: string, where: Condition, except: string): string | undefined {
    for (const ones of this.#last.values())
      for (const change of ones) {
        if (change.op !== 'put' || !isOf(change, collection, tenantId)) continue;
        const { record } = change;
        if (record.id !== except && matches(collectionOf(collection), record, where)) return record.id;
      }
    return undefined;
  }

  #find(collection: CollectionName, tenantId: string, id: string): OneRecord | undefined {
    return this.#last.get(id)?.find((one) => isOf(one, collection, tenantId));
  }
}

const isOf = (change: OneRecord, collection: CollectionName, tenantId: string): boolean =>
  change.collection === collection && change.tenantId === tenantId;
