import { collectionOf } from '../collections.js';
import type { CommittedRecords } from '../commit-validator.js';
import type { Operation } from '../operation.js';
import type { CollectionName } from '../records.js';
import type { Change, Entry, Insert } from '../store.js';

/**
 * What a process knows of a tenant's records as long as no other one commits for it. It is enough for a batch that only inserts,
 * which then takes one round trip instead of two: its statement does nothing if the tenant has another revision, and fails if
 * an id is taken. Goal P1: 0.21 → 0.26.
 */
export class AssumedRecords implements CommittedRecords {
  /** That of the last commit. */
  revision: number;
  /** Documents that exist. */
  readonly #documents = new Set<string>();

  constructor(revision: number) {
    this.revision = revision;
  }

  /** Whether a batch can be validated with it. A commit that writes nothing would not learn that it is outdated. */
  suffices(commits: readonly Change[][], entries: readonly Entry[]): boolean {
    return (
      commits.every((changes) => {
        const ids = changes.filter(isInsert).map(({ record }) => record.id);
        // Of two ids that conflict, one with the commit itself, the first is reported: the database knows which.
        const areDistinct = new Set(ids).size === ids.length;
        return ids.length > 0 && areDistinct && changes.every((change) => this.#covers(change));
      }) && entries.every((entry) => this.#covers(entry))
    );
  }

  /** Remembers what a batch found in the database and changed there. */
  learn(commits: readonly Change[][], operations: readonly Operation[], committed: CommittedRecords): void {
    for (const change of commits.flat()) {
      if (!('require' in change) || collectionOf(change.require).kind !== 'document') continue;
      const { require: collection, tenantId, id = tenantId } = change;
      if (committed.revisionOf(collection, tenantId, id) !== undefined)
        this.#documents.add(nameOf(collection, tenantId, id));
    }
    if (operations.some(changesDocuments)) this.#documents.clear();
  }

  /** The revision of a document is not known, only that it exists; a record to insert is taken for new. */
  revisionOf(collection: CollectionName, tenantId: string, id: string): number | undefined {
    return this.#documents.has(nameOf(collection, tenantId, id)) ? 0 : undefined;
  }

  hasKey(): boolean {
    return false;
  }

  firstMatch(): undefined {
    return undefined;
  }

  #covers(change: Change): boolean {
    if ('require' in change) {
      const { require: collection, tenantId, id = tenantId, revision } = change;
      return revision === undefined && this.revisionOf(collection, tenantId, id) !== undefined;
    }
    if (!isInsert(change) || change.unless !== undefined) return false;
    const { kind, once } = collectionOf(change.insert);
    return kind === 'journal' && once === undefined;
  }
}

/** Whether an operation changes what processes keep in memory. */
export function changesDocuments(operation: Operation): boolean {
  return operation.op === 'clear' || collectionOf(operation.collection).kind === 'document';
}

function isInsert(change: Change): change is Insert {
  return 'insert' in change;
}

function nameOf(collection: CollectionName, tenantId: string, id: string): string {
  return `${collection}\0${tenantId}\0${id}`;
}
