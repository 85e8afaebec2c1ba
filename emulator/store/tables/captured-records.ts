import type { RecordLocation } from '../record-location.js';
import type { Stored } from '../records.js';
import type { RecordLines } from './table.js';

interface Captured<R> {
  location: RecordLocation | undefined;
  record?: Stored<R> | undefined;
}

/** Returns the records that rows hold at the time of the call; each is read from its line when the iterator reaches it. */
export function captureRecords<R>(
  rows: readonly Captured<R>[],
  lines: RecordLines<R> | undefined,
): Iterable<Stored<R>> {
  const captured = rows.map(({ location, record }) => ({ location, record }));
  return readEach(captured, lines);
}

function* readEach<R>(rows: readonly Captured<R>[], lines: RecordLines<R> | undefined): Generator<Stored<R>> {
  for (const { location, record } of rows) {
    yield record ?? (lines?.read(location as RecordLocation) as Stored<R>);
  }
}
