import { ServiceError } from '../../client/errors.js';
import type { LimitedClient } from './adaptive-limiter.js';
import { refusalReason } from './rejects.js';
import type { Reject, Row } from './row.js';

/** A token to delete. */
export interface DeletionRow extends Row {
  record: { id: string };
}

/** A refusal that concerns one token: the others may be deleted all the same. */
const REFUSALS = new Set([400, 403, 409]);
/** Refusals in a row at the start after which the key is taken to lack the permission. */
const MAX_FIRST_REFUSALS = 100;

/**
 * Creates a function that deletes tokens, one after another. A token that is already gone counts as deleted. It returns the
 * tokens that the service refuses to delete, and throws when the service cannot be reached, fails, or refuses the key.
 */
export function createDeleter(client: LimitedClient): (rows: readonly DeletionRow[]) => Promise<Reject[]> {
  let deleted = 0;
  let refused = 0;

  /** Returns why the token was not deleted; undefined if it was. */
  async function deleteOne(id: string): Promise<string | undefined> {
    try {
      await client.send((limited) => limited.call('tokens.delete', { path: { id } }));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // A 404 counts as success: an earlier attempt may have deleted it.
      if (error.status !== 404) {
        refused++;
        if (!REFUSALS.has(error.status) || (deleted === 0 && refused > MAX_FIRST_REFUSALS)) throw error;
        return refusalReason(error);
      }
    }
    deleted++;
    return undefined;
  }

  return async (rows) => {
    const rejects: Reject[] = [];
    for (const { number, record } of rows) {
      const reason = await deleteOne(record.id);
      if (reason !== undefined) rejects.push({ number, reason, original: record });
    }
    return rejects;
  };
}
