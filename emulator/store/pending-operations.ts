import { COLLECTIONS, type Collection } from './collections.js';
import type { Condition } from './condition.js';
import { matches } from './matches.js';
import type { ClearOperation, Operation } from './operation.js';
import type { CollectionName } from './records.js';

type RecordOperation = Exclude<Operation, ClearOperation>;

/** Operations that are not visible yet: those of a commit being validated, or of the batch being written. */
export class PendingOperations {
  readonly operations: Operation[] = [];
  /** The operations on records by id. Few commits look at their own earlier changes: it is filled when it is first read. */
  readonly #byId = new Map<string, RecordOperation[]>();
  #indexed = 0;
  readonly #clearedTenants = new Set<string>();
  #isAllCleared = false;

  add(operation: Operation): void {
    this.operations.push(operation);
    if (operation.op !== 'clear') return;
    if (operation.tenantId === undefined) this.#isAllCleared = true;
    else this.#clearedTenants.add(operation.tenantId);
  }

  /** Whether one of the operations changes a record. */
  touches(collection: CollectionName, tenantId: string, id: string): boolean {
    return this.isCleared(tenantId) || this.#last(collection, tenantId, id) !== undefined;
  }

  isCleared(tenantId: string): boolean {
    return this.#isAllCleared || this.#clearedTenants.has(tenantId);
  }

  /** The revision that a record will have; undefined if it is untouched or will not exist. */
  revisionOf(collection: CollectionName, tenantId: string, id: string): number | undefined {
    const last = this.#last(collection, tenantId, id);
    return last?.op === 'put' ? last.revision : undefined;
  }

  /** Returns the id of a pending record, other than the excepted one, that meets a condition. */
  match(collection: CollectionName, tenantId: string, where: Condition, except: string): string | undefined {
    for (const operation of this.operations) {
      if (operation.op !== 'put' || operation.collection !== collection || operation.tenantId !== tenantId)
        continue;
      const { record } = operation;
      if (record.id === except || this.#last(collection, tenantId, record.id) !== operation) continue;
      if (matches(COLLECTIONS[collection] as Collection<CollectionName>, record, where)) return record.id;
    }
    return undefined;
  }

  /** Returns the last operation on a record since the last clear. */
  #last(collection: CollectionName, tenantId: string, id: string): RecordOperation | undefined {
    for (; this.#indexed < this.operations.length; this.#indexed += 1) {
      this.#index(this.operations[this.#indexed] as Operation);
    }
    return this.#byId
      .get(id)
      ?.findLast((operation) => operation.collection === collection && operation.tenantId === tenantId);
  }

  #index(operation: Operation): void {
    if (operation.op === 'clear') {
      const { tenantId } = operation;
      for (const [id, operations] of this.#byId) {
        this.#byId.set(
          id,
          tenantId === undefined ? [] : operations.filter((one) => one.tenantId !== tenantId),
        );
      }
      return;
    }
    const id = operation.op === 'put' ? operation.record.id : operation.id;
    const others = this.#byId.get(id);
    if (others === undefined) this.#byId.set(id, [operation]);
    else others.push(operation);
  }
}
