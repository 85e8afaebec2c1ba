import { collectionOf } from '../collections.js';
import type { RecordChange } from '../record-change.js';

/** Whether a change changes what processes keep in memory. */
export function changesDocuments(change: RecordChange): boolean {
  return change.op === 'clear' || collectionOf(change.collection).kind === 'document';
}

/**
 * Counts a change of what processes keep in memory, in a transaction. The count is the sum of the rows. A change takes the place of
 * all rows but those that others are replacing: it waits for none of them, and whoever reads the sum sees each change that is
 * committed.
 */
export const COUNT_CHANGE = `
  WITH replaced AS (
    DELETE FROM tokenctl.document_changes WHERE id IN (SELECT id FROM tokenctl.document_changes FOR UPDATE SKIP LOCKED)
    RETURNING total
  )
  INSERT INTO tokenctl.document_changes (total) SELECT coalesce(sum(total), 0) + 1 FROM replaced`;

export const READ_CHANGES = 'SELECT coalesce(sum(total), 0) AS changes FROM tokenctl.document_changes';
