import { andThen, type MaybePromise, recover } from '../lib/maybe-promise.js';
import { forEachYielding, sharedTurn } from '../lib/turns.js';
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
  readonly pending = new PendingChanges();
  /** The highest revision that the batch may use. */
  revision = 0;

  constructor(
    public commits: readonly QueuedCommit[],
    public entries: readonly Entry[],
  ) {}

  /** Keeps the commits that can be written together, and returns the first that touches one of them and all after it. */
  async gatherCommits(target: CommitTarget, { committed, revision }: BatchStart): Promise<QueuedCommit[]> {
    const queued = this.commits;
    const kept: QueuedCommit[] = [];
    const later: QueuedCommit[] = [];
    this.commits = kept;
    this.revision = revision;
    const gather = (commit: QueuedCommit): MaybePromise<void> => {
      // None overtakes one that waits: it could clear the tenant, or need the same records.
      const mustWait = later.length > 0 || target.isBatchFull;
      const validator = new CommitValidator(committed, this.pending, this.revision);
      const checked = mustWait ? RETRY_LATER : validator.run(commit.changes);
      if (checked === RETRY_LATER) return void later.push(commit);
      // The commit changes nothing. Batching it could reorder it before a clear.
      if (checked.length === 0) return commit.resolve();
      return andThen(target.add(checked), () => {
        this.revision += commit.changes.length;
        for (const change of checked) this.pending.add(change);
        kept.push(commit);
      });
    };
    await forEachYielding(queued, (commit) => recover(() => gather(commit), commit.reject), sharedTurn);
    return later;
  }

  /** Keeps the entries that are to be written. @param onLost is called for each that cannot be */
  async gatherEntries(target: CommitTarget, { committed }: BatchStart, onLost: (error: unknown) => void) {
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
        // Every read has an entry, which is nearly always added at once.
        const adding = target.add([change]);
        if (adding) await adding;
        this.pending.add(change);
        kept.push(entry);
      } catch (error) {
        onLost(error);
      }
    }
  }
}
