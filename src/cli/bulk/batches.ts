import type { Reject, Row } from './row.js';

/** Rows that are sent together, and the invalid rows among them. */
export interface Batch<R extends Row> {
  /** Number of its last row. */
  last: number;
  rows: R[];
  rejects: Reject[];
}

/** Keeps requests far below the service's limit of 5 MB. */
const MAX_CHARACTERS = 1_000_000;

const isReject = (row: Row | Reject): row is Reject => 'reason' in row;

/** Groups rows by number and size. The same rows always result in the same batches. @param size Rows per batch. */
export async function* groupRows<R extends Row>(
  rows: AsyncIterable<R | Reject>,
  size: number,
): AsyncGenerator<Batch<R>, void, void> {
  let batch: Batch<R> = { last: 0, rows: [], rejects: [] };
  let characters = 0;
  for await (const row of rows) {
    batch.last = row.number;
    if (isReject(row)) batch.rejects.push(row);
    else {
      batch.rows.push(row);
      characters += JSON.stringify(row.record).length;
    }
    if (batch.rows.length + batch.rejects.length < size && characters < MAX_CHARACTERS) continue;
    yield batch;
    batch = { last: 0, rows: [], rejects: [] };
    characters = 0;
  }
  if (batch.last > 0) yield batch;
}
