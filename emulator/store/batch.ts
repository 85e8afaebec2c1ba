import type { BatchStart, CommitTarget } from './commit-target.js';
import { CommitValidator, RETRY_LATER } from './commit-validator.js';
import { PendingChanges } from './pending-changes.js';
import { type RecordChange, withRevision } from './record-change.js';
import type { Change, Entry } from './store.js';

export interface QueuedCommit {
  changes: Change[];
  resolve(): void;
  reject(error: unknown): void;
}

/** The commits and entries that are written together, and the changes that result. */
export class Batch {
  commits: readonly QueuedCommit[];
  entries: readonly Entry[];
  readonly pending = new PendingChanges();
  /** The highest revision that the batch may use. */
  revision = 0;

  constructor(commits: readonly QueuedCommit[], entries: readonly Entry[]) {
    this.commits = commits;
    this.entries = entries;
  }

  /**
   * Keeps the commits that can be written together.
   * @returns those that touch one of them, for the next batch
   */
  gatherCommits(target: CommitTarget, { committed, revision }: BatchStart): QueuedCommit[] {
    const kept: QueuedCommit[] = [];
    const later: QueuedCommit[] = [];
    const queued = this.commits;
    this.commits = kept;
    this.revision = revision;
    for (const commit of queued) {
      try {
        const checked = target.isBatchFull
          ? RETRY_LATER
          : new CommitValidator(committed, this.pending, this.revision).run(commit.changes);
        if (checked === RETRY_LATER) later.push(commit);
        // What it asks for is so already, and durable; in a batch it could come before one that clears.
        else if (checked.length === 0) commit.resolve();
        else {
          target.add(checked);
          this.revision += commit.changes.length;
          for (const change of checked) this.pending.add(change);
          kept.push(commit);
        }
      } catch (error) {
        commit.reject(error);
      }
    }
    return later;
  }

  /** Keeps the entries that are to be written. */
  gatherEntries(target: CommitTarget, { committed }: BatchStart): void {
    const kept: Entry[] = [];
    const recorded = this.entries;
    this.entries = kept;
    for (const entry of recorded) {
      const { insert: collection, record } = entry;
      const { tenant_id: tenantId, id } = record;
      // What was recorded before a clear goes with it, written or not.
      if (this.pending.isCleared(tenantId)) continue;
      // An entry of the log is always new; a token's activity of the month exists after its first read.
      if (collection === 'activity') {
        if (this.pending.touches(collection, tenantId, id)) continue;
        if (committed.revisionOf(collection, tenantId, id) !== undefined) continue;
      }
      this.revision += 1;
      const { revision } = this;
      const stored = withRevision(record, revision);
      const change: RecordChange = { op: 'put', collection, tenantId, revision, record: stored };
      try {
        target.add([change]);
        this.pending.add(change);
        kept.push(entry);
      } catch (error) {
        target.reportLost(1, error);
      }
    }
  }
}
