import { collectionOf } from './collections.js';
import type { Condition } from './condition.js';
import { matches } from './matches.js';
import type { ClearOperation, Operation } from './operation.js';
import type { CollectionName } from './records.js';

type RecordOperation = Exclude<Operation, ClearOperation>;

/** Operations that are not visible yet: those of a commit being validated, or of the batch being written. */
export class PendingOperations {
  readonly operations: Operation[] = [];
  /** The operations on records by id. Few commits look at their own earlier changes: it is filled when it is first read. */
  #byId: Map<string, RecordOperation[]> | undefined;
  #indexed = 0;
  readonly #clearedTenants: string[] = [];
  #isAllCleared = false;

  add(operation: Operation): void {
    this.operations.push(operation);
    if (operation.op !== 'clear') return;
    if (operation.tenantId === undefined) this.#isAllCleared = true;
    else this.#clearedTenants.push(operation.tenantId);
  }

  /** Whether one of the operations changes a record. */
  touches(collection: CollectionName, tenantId: string, id: string): boolean {
    return this.isCleared(tenantId) || this.#last(collection, tenantId, id) !== undefined;
  }

  isCleared(tenantId: string): boolean {
    return this.#isAllCleared || this.#clearedTenants.includes(tenantId);
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
      if (matches(collectionOf(collection), record, where)) return record.id;
    }
    return undefined;
  }

  /** Returns the last operation on a record since the last clear. */
  #last(collection: CollectionName, tenantId: string, id: string): RecordOperation | undefined {
    if (this.operations.length === 0) return undefined;
    this.#byId ??= new Map();
    for (; this.#indexed < this.operations.length; this.#indexed += 1) {
      index(this.#byId, this.operations[this.#indexed] as Operation);
    }
    return this.#byId
      .get(id)
      ?.findLast((operation) => operation.collection === collection && operation.tenantId === tenantId);
  }
}

function index(byId: Map<string, RecordOperation[]>, operation: Operation): void {
  if (operation.op === 'clear') {
    const { tenantId } = operation;
    for (const [id, operations] of byId) {
      byId.set(id, tenantId === undefined ? [] : operations.filter((one) => one.tenantId !== tenantId));
    }
    return;
  }
  const id = operation.op === 'put' ? operation.record.id : operation.id;
  const others = byId.get(id);
  if (others === undefined) byId.set(id, [operation]);
  else others.push(operation);
}
