import type { MaybePromise } from '../lib/maybe-promise.js';
import type { CommittedRecords } from './commit-validator.js';
import type { PendingChanges } from './pending-changes.js';
import type { RecordChange } from './record-change.js';
import type { Change, Entry } from './store.js';

export interface BatchStart {
  committed: CommittedRecords;
  /** The highest revision in use. */
  revision: number;
}

/** Where a commit queue writes to: a write-ahead log on disk, memory, or a database. */
export interface CommitTarget {
  /** Whether the next commit must wait for the next batch. */
  readonly isBatchFull: boolean;
  /** Begins a batch. @param commits all that may become part of it */
  begin(commits: readonly Change[][], entries: readonly Entry[]): BatchStart | Promise<BatchStart>;
  /** Adds a commit to the batch. @throws StorageError it cannot be serialized; the batch is as before */
  add(commit: readonly RecordChange[]): MaybePromise<void>;
  /** Makes the batch durable and visible, or nothing of it. @throws BatchAbortedError it is to be validated again */
  write(batch: PendingChanges, revision: number): Promise<void>;
  close(): Promise<void>;
}
