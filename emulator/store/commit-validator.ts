import { COLLECTIONS, type Collection } from './collections.js';
import type { Condition } from './condition.js';
import { ConflictError } from './errors.js';
import { matches } from './matches.js';
import { numbered, type Operation } from './operation.js';
import type { CollectionName, Records, Stored } from './records.js';
import type { Change, Insert, Prepared, Remove, Replace, Require } from './store.js';
import { firstMatch, type Tables } from './tables/tables.js';

/** Says that a commit touches what is under way: it must be looked at again when that is durable. */
export const RETRY_LATER = Symbol('wait');

type WriteIntent = Exclude<Operation, { op: 'clear' }>;

/** The last operation on each record of a collection, by tenant and id. */
type Touches = Map<string, Map<string, WriteIntent>>;

/** The operations that are not visible yet: of a commit being checked, or of the batch being written. */
export class Pending {
  readonly operations: Operation[] = [];
  #touched: Map<CollectionName, { touches: Touches; known: number }> | undefined;
  #everything = false;
  readonly #cleared: string[] = [];

  add(operation: Operation): void {
    this.operations.push(operation);
    if (operation.op !== 'clear') return;
    if (operation.tenantId === undefined) this.#everything = true;
    else this.#cleared.push(operation.tenantId);
  }

  touches(collection: CollectionName, tenantId: string, id: string): boolean {
    return this.isCleared(tenantId) || this.#last(collection, tenantId, id) !== undefined;
  }

  isCleared(tenantId: string): boolean {
    return this.#everything || this.#cleared.includes(tenantId);
  }

  record(
    collection: CollectionName,
    tenantId: string,
    id: string,
  ): Stored<Records[CollectionName]> | undefined {
    const last = this.#last(collection, tenantId, id);
    return last?.op === 'put' ? last.record : undefined;
  }

  /** The id of a pending record that a condition finds. */
  match<N extends CollectionName>(name: N, tenantId: string, where: Condition<N>, except: string) {
    const collection: Collection<N> = COLLECTIONS[name];
    for (const touch of this.#of(name, tenantId)?.values() ?? []) {
      if (touch.op !== 'put' || touch.record.id === except) continue;
      if (matches(collection, touch.record as never, where)) return touch.record.id;
    }
    return undefined;
  }

  #last(collection: CollectionName, tenantId: string, id: string): WriteIntent | undefined {
    return this.#of(collection, tenantId)?.get(id);
  }

  /** Most collections are never asked for: what is pending of one is put in order when it is. */
  #of(name: CollectionName, tenantId: string): Map<string, WriteIntent> | undefined {
    if (this.operations.length === 0) return undefined;
    this.#touched ??= new Map();
    let collection = this.#touched.get(name);
    if (collection === undefined) {
      collection = { touches: new Map(), known: 0 };
      this.#touched.set(name, collection);
    }
    for (; collection.known < this.operations.length; collection.known += 1) {
      take(collection.touches, name, this.operations[collection.known] as Operation);
    }
    return collection.touches.get(tenantId);
  }
}

function take(touches: Touches, name: CollectionName, operation: Operation): void {
  if (operation.op === 'clear') {
    if (operation.tenantId === undefined) touches.clear();
    else touches.delete(operation.tenantId);
  } else if (operation.collection === name) {
    const { tenantId } = operation;
    let ofTenant = touches.get(tenantId);
    if (ofTenant === undefined) {
      ofTenant = new Map();
      touches.set(tenantId, ofTenant);
    }
    ofTenant.set(operation.op === 'put' ? operation.record.id : operation.id, operation);
  }
}

/** Checks the preconditions of one commit against what is visible, what is under way, and its own earlier changes. */
export class CommitValidator {
  readonly #tables: Tables;
  readonly #underWay: Pending;
  readonly #own = new Pending();
  #revision: number;

  /** `revision` is the last one given out; every operation takes the next. */
  constructor(tables: Tables, underWay: Pending, revision: number) {
    this.#tables = tables;
    this.#underWay = underWay;
    this.#revision = revision;
  }

  /** @throws ConflictError */
  run(changes: Change[]): Operation[] | typeof RETRY_LATER {
    for (const change of changes) {
      this.#revision += 1;
      const operation = this.#check(change);
      if (operation === RETRY_LATER) return RETRY_LATER;
      if (operation !== undefined) this.#own.add(operation);
    }
    return this.#own.operations;
  }

  /** Undefined when the change changes nothing. */
  #check(change: Change): Operation | typeof RETRY_LATER | undefined {
    if ('clear' in change) return this.#clear(change.clear === 'tenant' ? change.tenantId : undefined);
    if ('remove' in change) return this.#remove(change);
    if ('require' in change) return this.#require(change);
    return 'insert' in change ? this.#insert(change) : this.#replace(change);
  }

  #clear(tenantId: string | undefined): Operation | typeof RETRY_LATER {
    if (this.#underWay.operations.length > 0) return RETRY_LATER;
    return { op: 'clear', revision: this.#revision, ...(tenantId === undefined ? {} : { tenantId }) };
  }

  #require({ require: name, tenantId }: Require): typeof RETRY_LATER | undefined {
    if (this.#underWay.touches(name, tenantId, tenantId)) return RETRY_LATER;
    this.#expect(name, tenantId, tenantId, undefined);
    return undefined;
  }

  #insert({ insert: name, record, unless, prepared }: Insert): Operation | typeof RETRY_LATER | undefined {
    const { keepLast, once, tenantOf } = COLLECTIONS[name] as Collection<CollectionName>;
    const tenantId = tenantOf(record as never);
    // A log entry's id is always new, and looking for it would mean looking at every entry.
    const isNew = keepLast !== undefined;
    if (isNew ? this.#underWay.isCleared(tenantId) : this.#underWay.touches(name, tenantId, record.id)) {
      return RETRY_LATER;
    }
    if (!isNew && this.#current(name, tenantId, record.id) !== undefined) {
      if (once) return undefined;
      throw new ConflictError('id', name, record.id);
    }
    return this.#put(name, tenantId, record, unless, undefined, prepared);
  }

  #replace({ replace: name, record, unless }: Replace): Operation | typeof RETRY_LATER {
    const tenantId = tenantOf(name, record);
    if (this.#underWay.touches(name, tenantId, record.id)) return RETRY_LATER;
    const was = this.#expect(name, tenantId, record.id, record.revision);
    // What was read is shared with other readers.
    return this.#put(name, tenantId, { ...record }, unless, was);
  }

  #remove({ remove: name, tenantId, id, revision }: Remove): Operation | typeof RETRY_LATER {
    if (this.#underWay.touches(name, tenantId, id)) return RETRY_LATER;
    const was = this.#expect(name, tenantId, id, revision);
    return { op: 'remove', collection: name, tenantId, id, revision: this.#revision, was };
  }

  #put(
    collection: CollectionName,
    tenantId: string,
    record: Records[CollectionName],
    unless: Condition | undefined,
    was?: Stored<Records[CollectionName]>,
    prepared?: Prepared,
  ): Operation | typeof RETRY_LATER {
    const other = unless === undefined ? undefined : this.#match(collection, tenantId, unless, record.id);
    if (other === RETRY_LATER) return RETRY_LATER;
    if (other !== undefined) throw new ConflictError('unless', collection, other);
    return {
      op: 'put',
      collection,
      tenantId,
      record: numbered(record, this.#revision),
      was,
      prepared,
    } as Operation;
  }

  #match(name: CollectionName, tenantId: string, where: Condition, except: string) {
    if (this.#underWay.isCleared(tenantId)) return RETRY_LATER;
    if (this.#underWay.match(name, tenantId, where, except) !== undefined) return RETRY_LATER;
    const own = this.#own.match(name, tenantId, where, except);
    if (own !== undefined || this.#own.isCleared(tenantId)) return own;
    const found = firstMatch(this.#tables.of(name, tenantId), where, except);
    if (found === undefined || this.#own.touches(name, tenantId, found)) return undefined;
    return this.#underWay.touches(name, tenantId, found) ? RETRY_LATER : found;
  }

  #expect(
    name: CollectionName,
    tenantId: string,
    id: string,
    revision: number | undefined,
  ): Stored<Records[CollectionName]> {
    const current = this.#current(name, tenantId, id);
    if (current === undefined) throw new ConflictError('missing', name, id);
    if (revision !== undefined && current.revision !== revision)
      throw new ConflictError('revision', name, id);
    return current;
  }

  #current(name: CollectionName, tenantId: string, id: string): Stored<Records[CollectionName]> | undefined {
    if (this.#own.touches(name, tenantId, id)) return this.#own.record(name, tenantId, id);
    return this.#tables.of(name, tenantId)?.get(id);
  }
}

function tenantOf(name: CollectionName, record: Records[CollectionName]): string {
  return (COLLECTIONS[name] as Collection<CollectionName>).tenantOf(record as never);
}
