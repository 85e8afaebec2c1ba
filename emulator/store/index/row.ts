import type { Collection } from '../collections.js';
import type { LineLocation } from '../line-location.js';
import type { CollectionName, Records, Stored } from '../records.js';

export type RecordOf<N extends CollectionName> = Stored<Records[N]> & { id: string };

/** A revision of a record, and what the indexes know of it. */
export interface Row<R extends { id: string } = { id: string }> {
  readonly record: R;
  /** Milliseconds since 1970; 0 in collections ordered by id alone. */
  readonly created: number;
  /** Milliseconds since 1970, in the order of the collection's `ordered`; NaN where the record has no such time. */
  readonly times: readonly number[];
  /** Where its line is, if there is a journal. */
  readonly line: LineLocation | undefined;
}

export function createRow<N extends CollectionName>(
  { createdAt, ordered }: Collection<N>,
  record: Stored<Records[N]>,
  line: LineLocation | undefined,
): Row<RecordOf<N>> {
  const created = createdAt === undefined ? 0 : Date.parse(createdAt(record));
  const times: number[] = [];
  for (const name in ordered) {
    const time = ordered[name as keyof typeof ordered](record);
    times.push(time === undefined ? Number.NaN : Date.parse(time));
  }
  return { record: record as RecordOf<N>, created, times, line };
}

/** The order of lists: newest first, then by id. */
export function compareRows(a: Row, b: Row): number {
  if (a.created !== b.created) return b.created - a.created;
  return a.record.id < b.record.id ? -1 : a.record.id > b.record.id ? 1 : 0;
}
