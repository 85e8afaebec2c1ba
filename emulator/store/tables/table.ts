import type { Condition } from '../condition.js';
import type { LineLocation } from '../line-location.js';
import type { CollectionName, Records, Stored } from '../records.js';
import type { Found } from '../store.js';

/** The records of one collection and tenant. */
export interface Table<N extends CollectionName> {
  readonly size: number;
  get(id: string): Stored<Records[N]> | undefined;
  /** Adds a record or replaces the one with its id. `line` is that of the journal, if there is one. */
  put(record: Stored<Records[N]>, line: LineLocation | undefined): void;
  remove(id: string): void;
  /** Schedules the lines of all records for erasure. Nobody may use the table any more. */
  drop(): void;
  /**
   * Returns a promise to await when a condition needs an index that is not built, or many records to be looked at. To be called
   * until it returns undefined, immediately before `page`.
   */
  prepare(where: Condition<N> | undefined): Promise<void> | undefined;
  page(where: Condition<N> | undefined, offset: number, limit: number, maxBytes?: number): Found<Records[N]>;
  /** The records as they are now, the oldest first. */
  records(): Stored<Records[N]>[];
  /** The line that holds a record; undefined if that revision is no longer stored. */
  lineOf(id: string, revision: number): LineLocation | undefined;
}

export type Rows = Iterable<{ line: LineLocation | undefined }>;

/** Takes the lines of a journal that no longer count: they must leave the disk. */
export interface DeadLines {
  /** The line of a record that was replaced or removed, or that newer ones pushed out. */
  scheduleErase(line: LineLocation): void;
  /** Does the same with the lines of a whole table, which are not looked at before the answer to its removal. */
  scheduleEraseAll(rows: Rows): void;
}
