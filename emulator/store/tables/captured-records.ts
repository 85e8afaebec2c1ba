import type { Stored } from '../records.js';
import type { LocatedRecord, RecordLines } from './table.js';

type Captured<R> = LocatedRecord & { record?: Stored<R> | undefined };

/** Returns the records that rows hold at the time of the call; each is read from its line when the iterator reaches it. */
export function captureRecords<R>(
  rows: readonly Captured<R>[],
  lines: RecordLines<R> | undefined,
): Iterable<Stored<R>> {
  return readEach([...rows], lines);
}

function* readEach<R>(rows: readonly Captured<R>[], lines: RecordLines<R> | undefined): Generator<Stored<R>> {
  for (const row of rows) yield row.record ?? (lines?.read(row) as Stored<R>);
}
