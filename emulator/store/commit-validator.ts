import { collectionOf } from './collections.js';
import type { Condition } from './condition.js';
import { ConflictError } from './errors.js';
import { PendingChanges } from './pending-changes.js';
import { type RecordChange, withRevision } from './record-change.js';
import type { CollectionName, Records } from './records.js';
import type { Change, Insert, Remove, Replace, Require } from './store.js';

/** The commit touches what is being written: it must be validated again when that is durable. */
export const RETRY_LATER = Symbol('retry later');

type RetryLater = typeof RETRY_LATER;

/** The records that a batch of commits is validated against: those that are visible. */
export interface CommittedRecords {
  revisionOf(collection: CollectionName, tenantId: string, id: string): number | undefined;
  /** The id of a record, other than the excepted one, that meets a condition. */
  firstMatch(
    collection: CollectionName,
    tenantId: string,
    where: Condition,
    except: string,
  ): string | undefined;
}

/** Validates one commit against what is visible, what is being written, and its own earlier changes. */
export class CommitValidator {
  readonly #own = new PendingChanges();

  /** `revision` is the last one given out; every change takes the next. */
  constructor(
    private readonly committed: CommittedRecords,
    private readonly batch: PendingChanges,
    private revision: number,
  ) {}

  /** @throws ConflictError */
  run(changes: Change[]): RecordChange[] | RetryLater {
    for (const change of changes) {
      this.revision += 1;
      const checked = this.#validate(change);
      if (checked === RETRY_LATER) return RETRY_LATER;
      if (checked !== undefined) this.#own.add(checked);
    }
    return this.#own.changes;
  }

  #validate(change: Change): RecordChange | RetryLater | undefined {
    if ('clear' in change) return this.#clear(change.clear === 'tenant' ? change.tenantId : undefined);
    if ('remove' in change) return this.#remove(change);
    if ('require' in change) return this.#require(change);
    return 'insert' in change ? this.#insert(change) : this.#replace(change);
  }

  #clear(tenantId: string | undefined): RecordChange | RetryLater {
    if (this.batch.changes.length > 0) return RETRY_LATER;
    return { op: 'clear', revision: this.revision, ...(tenantId === undefined ? {} : { tenantId }) };
  }

  #require({ require: name, tenantId, id = tenantId, revision }: Require): RetryLater | undefined {
    if (this.batch.touches(name, tenantId, id)) return RETRY_LATER;
    this.#assertExists(name, tenantId, id, revision);
    return undefined;
  }

  #insert({ insert: name, record, unless }: Insert): RecordChange | RetryLater | undefined {
    const { retention, once, tenantOf } = collectionOf(name);
    const tenantId = tenantOf(record);
    if (retention !== undefined) {
      // The id of a log entry is always new, and looking for it would mean looking at every entry.
      return this.batch.isCleared(tenantId) ? RETRY_LATER : this.#put(name, tenantId, record, unless);
    }
    if (this.batch.touches(name, tenantId, record.id)) return RETRY_LATER;
    if (this.#revisionOf(name, tenantId, record.id) === undefined)
      return this.#put(name, tenantId, record, unless);
    if (once) return undefined;
    throw new ConflictError('id', name, record.id);
  }

  #replace({ replace: name, record, unless }: Replace): RecordChange | RetryLater {
    const tenantId = collectionOf(name).tenantOf(record);
    if (this.batch.touches(name, tenantId, record.id)) return RETRY_LATER;
    this.#assertExists(name, tenantId, record.id, record.revision);
    // The record was read from the store and is shared with other readers: it is copied before its revision is set.
    return this.#put(name, tenantId, { ...record }, unless);
  }

  #remove({ remove: name, tenantId, id, revision }: Remove): RecordChange | RetryLater {
    if (this.batch.touches(name, tenantId, id)) return RETRY_LATER;
    this.#assertExists(name, tenantId, id, revision);
    return { op: 'remove', collection: name, tenantId, id, revision: this.revision };
  }

  #put(
    collection: CollectionName,
    tenantId: string,
    record: Records[CollectionName],
    unless: Condition | undefined,
  ): RecordChange | RetryLater {
    const other = unless && this.#match(collection, tenantId, unless, record.id);
    if (other === RETRY_LATER) return RETRY_LATER;
    if (other !== undefined) throw new ConflictError('unless', collection, other);
    const { revision } = this;
    return { op: 'put', collection, tenantId, revision, record: withRevision(record, revision) };
  }

  #match(name: CollectionName, tenantId: string, where: Condition, except: string) {
    if (this.batch.isCleared(tenantId)) return RETRY_LATER;
    if (this.batch.match(name, tenantId, where, except) !== undefined) return RETRY_LATER;
    const own = this.#own.match(name, tenantId, where, except);
    if (own !== undefined || this.#own.isCleared(tenantId)) return own;
    const found = this.committed.firstMatch(name, tenantId, where, except);
    if (found === undefined || this.#own.touches(name, tenantId, found)) return undefined;
    return this.batch.touches(name, tenantId, found) ? RETRY_LATER : found;
  }

  #assertExists(name: CollectionName, tenantId: string, id: string, revision?: number): void {
    const current = this.#revisionOf(name, tenantId, id);
    if (current === undefined) throw new ConflictError('missing', name, id);
    if (revision !== undefined && current !== revision) throw new ConflictError('revision', name, id);
  }

  #revisionOf(name: CollectionName, tenantId: string, id: string): number | undefined {
    return this.#own.touches(name, tenantId, id)
      ? this.#own.revisionOf(name, tenantId, id)
      : this.committed.revisionOf(name, tenantId, id);
  }
}
