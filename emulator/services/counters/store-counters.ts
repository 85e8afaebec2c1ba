import { DurationHistogram } from '../../lib/duration-histogram.js';
import { ConflictError, StorageFullError, StoreUnavailableError } from '../../store/errors.js';
import type { Store } from '../../store/store.js';
import { wrapStore } from '../../store/wrapped-store.js';

/** How a commit ended: stored, refused for a precondition, or failed. */
type CommitOutcome = 'stored' | 'conflict' | 'full' | 'unavailable' | 'failed';

/** Counts the commits of this process since the start. */
export class StoreCounters {
  readonly commits: Record<CommitOutcome, number> = {
    stored: 0,
    conflict: 0,
    full: 0,
    unavailable: 0,
    failed: 0,
  };
  /** How long the stored ones took, the wait for earlier ones included. */
  readonly latency = new DurationHistogram();

  /** Returns the store with its commits counted. */
  count(store: Store): Store {
    return wrapStore(store, {
      commit: async (changes) => {
        const startedAt = performance.now();
        try {
          await store.commit(changes);
        } catch (error) {
          this.commits[outcomeOf(error)] += 1;
          throw error;
        }
        this.commits.stored += 1;
        this.latency.add(performance.now() - startedAt);
      },
    });
  }
}

function outcomeOf(error: unknown): CommitOutcome {
  if (error instanceof ConflictError) return 'conflict';
  if (error instanceof StorageFullError) return 'full';
  return error instanceof StoreUnavailableError ? 'unavailable' : 'failed';
}
