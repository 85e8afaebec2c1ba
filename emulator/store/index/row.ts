import { parseTimestamp } from '../../lib/timestamps.js';
import type { Collection } from '../collections.js';
import type { LineLocation } from '../line-location.js';
import type { CollectionName, Records, Stored } from '../records.js';

interface NamedRecord {
  id: string;
  revision: number;
}

/** A record of one collection, and what all records have. */
export type RecordOf<N extends CollectionName> = Stored<Records[N]> & NamedRecord;

/** A revision of a record, and what the indexes know of it. */
export interface Row<R extends NamedRecord = NamedRecord> {
  readonly record: R;
  /** Milliseconds since 1970; 0 in collections ordered by id alone. */
  readonly created: number;
  /** Milliseconds since 1970, in the order of the collection's `ordered`; 0 or absent where the record has no such time. */
  readonly times: readonly number[];
  /** Where its line is, if there is a journal. */
  readonly line: LineLocation | undefined;
}

/** What most tokens have, once for all of them. */
const NO_TIMES: readonly number[] = [];

/** Makes the row of a record. */
export function createRow<N extends CollectionName>(
  collection: Collection<N>,
  record: Stored<Records[N]>,
  line: LineLocation | undefined,
): Row<RecordOf<N>> {
  const times: number[] = [];
  for (const timeOf of Object.values<(record: Records[N]) => string | undefined>(collection.ordered)) {
    times.push(milliseconds(timeOf(record)));
  }
  const hasTimes = times.some((time) => time !== 0);
  const created = createdAt(collection, record);
  return {
    record: record as RecordOf<N>,
    created,
    times: hasTimes ? times : NO_TIMES,
    line,
  };
}

/** When a record was created, in milliseconds since 1970; 0 in collections ordered by id alone. */
export function createdAt<N extends CollectionName>(collection: Collection<N>, record: Records[N]): number {
  return milliseconds(collection.createdAt?.(record));
}

interface ListedRow {
  record: { id: string };
  created: number;
}

/** The order of lists: newest first, then by id. */
export function compareRows(a: ListedRow, b: ListedRow): number {
  if (a.created !== b.created) return b.created - a.created;
  return a.record.id < b.record.id ? -1 : a.record.id > b.record.id ? 1 : 0;
}

function milliseconds(time: string | undefined): number {
  return time === undefined ? 0 : parseTimestamp(time);
}
