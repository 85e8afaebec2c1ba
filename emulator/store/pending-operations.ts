import { COLLECTIONS, type Collection } from './collections.js';
import type { Condition } from './condition.js';
import { matches } from './matches.js';
import type { ClearOperation, Operation, PutOperation } from './operation.js';
import type { CollectionName } from './records.js';

type RecordOperation = Exclude<Operation, ClearOperation>;

/** Operations that are not visible yet: those of a commit being validated, or of the batch being written. */
export class PendingOperations {
  readonly operations: Operation[] = [];
  /** The last operation on each record, by `keyOf`. */
  readonly #byRecord = new Map<string, RecordOperation>();
  readonly #clearedTenants = new Set<string>();
  #isAllCleared = false;

  add(operation: Operation): void {
    this.operations.push(operation);
    if (operation.op === 'clear') {
      if (operation.tenantId === undefined) this.#isAllCleared = true;
      else this.#clearedTenants.add(operation.tenantId);
      this.#forgetRecords(operation.tenantId);
    } else {
      const id = operation.op === 'put' ? operation.record.id : operation.id;
      this.#byRecord.set(keyOf(operation.collection, operation.tenantId, id), operation);
    }
  }

  /** Whether one of the operations changes a record. */
  touches(collection: CollectionName, tenantId: string, id: string): boolean {
    return this.isCleared(tenantId) || this.#byRecord.has(keyOf(collection, tenantId, id));
  }

  isCleared(tenantId: string): boolean {
    return this.#isAllCleared || this.#clearedTenants.has(tenantId);
  }

  /** The revision that a record will have; undefined if it is untouched or will not exist. */
  revisionOf(collection: CollectionName, tenantId: string, id: string): number | undefined {
    const last = this.#byRecord.get(keyOf(collection, tenantId, id));
    return last?.op === 'put' ? last.revision : undefined;
  }

  /** Returns the id of a pending record, other than the excepted one, that meets a condition. */
  match(collection: CollectionName, tenantId: string, where: Condition, except: string): string | undefined {
    const isMatch = (operation: RecordOperation): operation is PutOperation =>
      operation.op === 'put' &&
      operation.collection === collection &&
      operation.tenantId === tenantId &&
      operation.record.id !== except &&
      matches(COLLECTIONS[collection] as Collection<CollectionName>, operation.record, where);
    for (const operation of this.#byRecord.values()) if (isMatch(operation)) return operation.record.id;
    return undefined;
  }

  #forgetRecords(tenantId: string | undefined): void {
    for (const [key, operation] of this.#byRecord) {
      if (tenantId === undefined || operation.tenantId === tenantId) this.#byRecord.delete(key);
    }
  }
}

function keyOf(collection: CollectionName, tenantId: string, id: string): string {
  return `${collection}\n${tenantId}\n${id}`;
}
