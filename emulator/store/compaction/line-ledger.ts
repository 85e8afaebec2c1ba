import { forEachYielding } from '../../lib/turns.js';
import type { Lined, LineLocation } from '../line-location.js';
import type { RecordChange } from '../record-change.js';
import type { DeadLines } from '../tables/table.js';

/** What a round of the compactor has to do. */
interface Work {
  lines: LineLocation[];
  /** The lines of removals that have nothing left to remove when the others are erased. */
  removals: LineLocation[];
}

type LiveLines = { lines: Set<LineLocation>; bytes: number };

/**
 * Knows which lines of the journal count. That of a record counts until the record is replaced or removed. That of a removal
 * counts until the lines that it made obsolete are erased: without it, a start would bring them back.
 */
export class LineLedger implements DeadLines {
  /** By segment. */
  readonly #live = new Map<number, LiveLines>();
  readonly #removals = new Set<LineLocation>();
  /** Rows whose lines no longer count, which are looked at in the next round: goal I1, a tenant is unreachable after 31 → 4 ms. */
  #dead: Iterable<Lined>[] = [];

  get isEmpty(): boolean {
    return this.#dead.length === 0 && this.#removals.size === 0;
  }

  liveBytes(segment: number): number {
    return this.#live.get(segment)?.bytes ?? 0;
  }

  /** The lines of a segment that count, in their order. */
  liveLines(segment: number): LineLocation[] {
    return [...(this.#live.get(segment)?.lines ?? [])].sort((a, b) => a.offset - b.offset);
  }

  /** The journal has a line with a change. Must be called before the change is applied to the tables. */
  noteWritten({ op }: RecordChange, line: LineLocation): void {
    this.#add(line);
    if (op !== 'put') this.#removals.add(line);
  }

  /** All lines of some segments that count were copied to another one, from a byte on. */
  noteMoved(lines: readonly LineLocation[], segment: number, start: number): void {
    let offset = start;
    for (const line of lines) {
      this.#remove(line);
      Object.assign(line, { segment, offset });
      this.#add(line);
      offset += line.length + 1;
    }
  }

  noteDiscarded(segment: number): void {
    this.#live.delete(segment);
  }

  scheduleErase(rows: Iterable<Lined>): void {
    this.#dead.push(rows);
  }

  /** Returns what is to be done, once. */
  async take(): Promise<Work> {
    const removals = [...this.#removals];
    const lines: LineLocation[] = [];
    for (const rows of this.#dead.splice(0))
      await forEachYielding(rows, ({ line }) => {
        if (line === undefined) return;
        this.#remove(line);
        lines.push(line);
      });
    return { lines, removals };
  }

  /** The lines of some work are erased. */
  settle({ removals }: Work): void {
    for (const line of removals) {
      this.#remove(line);
      this.#removals.delete(line);
    }
  }

  /** Takes lines back that could not be erased. */
  putBack({ lines }: Work): void {
    this.#dead.push(lines.map((line) => ({ line })));
  }

  #add(line: LineLocation): void {
    const live = this.#live.get(line.segment) ?? { lines: new Set(), bytes: 0 };
    this.#live.set(line.segment, live);
    live.lines.add(line);
    live.bytes += line.length + 1;
  }

  #remove(line: LineLocation): void {
    const live = this.#live.get(line.segment);
    if (live?.lines.delete(line)) live.bytes -= line.length + 1;
  }
}
