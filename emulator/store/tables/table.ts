import type { Condition } from '../condition.js';
import type { IndexKeys } from '../index/index-keys.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';

/** The records of one collection and tenant, in memory or in the lines of a journal. */
export interface Table<N extends CollectionName> {
  readonly size: number;
  get(id: string): Stored<Records[N]> | undefined;
  /** Reads no record, as opposed to `get`. */
  revisionOf(id: string): number | undefined;
  /** Adds a record or replaces the one with its id. `location` is that of its line. */
  put(record: Stored<Records[N]>, keys: IndexKeys, location: RecordLocation): void;
  remove(id: string): void;
  /** Schedules the lines of all records for erasure. Nobody may use the table any more. */
  drop(): void;
  /**
   * Returns a promise to await when a condition needs an index that is not built, or unread records. To be called until it
   * returns undefined, immediately before `page`.
   */
  prepare(where: Condition<N> | undefined): Promise<void> | undefined;
  page(where: Condition<N> | undefined, offset: number, limit: number, maxBytes?: number): Found<Records[N]>;
  /** The records as they are now, the oldest first. Each is read when it is asked for. */
  capture(): Iterable<Stored<Records[N]>>;
  /** The location of the line that holds a record; undefined if that revision is no longer stored. */
  locationOf(id: string, revision: number): RecordLocation | undefined;
}

/** A record of a table, and where its line is. */
export type LocatedRecord = RecordLocation & { id: string };

/** The lines of a journal that hold a table's records. */
export interface RecordLines<R> {
  /** @throws DamagedError the line holds something else than that record */
  read(record: LocatedRecord): Stored<R>;
  /** As `read`; keeps the record in memory for a while. */
  readCached(record: LocatedRecord): Stored<R>;
  /** The line of a record that was replaced or removed: it must leave the disk. */
  scheduleErase(location: RecordLocation): void;
  /** Does the same with the lines of a whole table, which are not looked at before the answer to its removal. */
  scheduleEraseAll(locations: Iterable<RecordLocation>): void;
  /** The line of a record that newer ones pushed out: it may stay on the disk until its segment is rewritten. */
  markDead(location: RecordLocation): void;
}

/** Returns the records that rows hold at the time of the call; each is read from its line when the iterator reaches it. */
export function captureRecords<R>(
  rows: readonly (LocatedRecord & { record?: Stored<R> | undefined })[],
  lines: RecordLines<R> | undefined,
): Iterable<Stored<R>> {
  const captured = [...rows];
  return (function* () {
    for (const row of captured) yield row.record ?? (lines?.read(row) as Stored<R>);
  })();
}
