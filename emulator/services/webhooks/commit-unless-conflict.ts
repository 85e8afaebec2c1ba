import { ConflictError } from '../../store/errors.js';
import type { Change, Store } from '../../store/store.js';

/**
 * Commits changes of a delivery. A conflict means that the delivery was deleted or replaced by someone else: there is
 * nothing left to store.
 */
export async function commitUnlessConflict(store: Pick<Store, 'commit'>, changes: Change[]): Promise<void> {
  try {
    await store.commit(changes);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
}
