import type { Condition } from '../condition.js';
import { compareRows } from '../index/row.js';
import { SortedRows } from '../index/sorted-rows.js';
import { isWithin } from '../matches.js';

/** What a scan needs to know of an entry. */
interface ScannedEntry {
  record: { id: string; revision: number };
  /** Milliseconds since 1970. */
  created: number;
}

/**
 * The entries of a log that meet a condition, as far as they have been looked at. A later page of the same list looks only at
 * what was added since. It holds no record.
 */
export class LogScan<E extends ScannedEntry> {
  readonly #where: Condition | undefined;
  /** The oldest first. */
  readonly #found = new SortedRows<E>((a, b) => compareRows(b, a));
  /** The revision of the oldest entry that was kept when it was last asked. */
  #oldest = 0;
  /** The revision up to which entries were looked at. */
  revision = 0;

  constructor(where: Condition | undefined) {
    this.#where = where;
  }

  /** @param isMatch looks at the entry's record; not called if the time of the entry decides */
  look(entry: E, isMatch: (entry: E) => boolean): void {
    // Another query may have looked at it in the meantime.
    if (entry.record.revision <= this.revision) return;
    if (this.#where === undefined || (!excludes(this.#where, entry.created) && isMatch(entry)))
      this.#found.add(entry);
    this.revision = entry.record.revision;
  }

  /** Returns what was found, the oldest first, without what was dropped. @param oldest revision of the oldest entry */
  found(oldest: number): readonly E[] {
    if (oldest !== this.#oldest) this.#found.filter(({ record }) => record.revision >= oldest);
    this.#oldest = oldest;
    return this.#found.rows;
  }
}

/** Whether a condition excludes a time of creation. */
function excludes(where: Condition, created: number): boolean {
  if ('all' in where) return where.all.some((part) => excludes(part, created));
  return 'range' in where && where.range === 'created_at' && !isWithin(created, where);
}
