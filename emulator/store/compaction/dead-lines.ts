import { setTimeout as sleep } from 'node:timers/promises';
import type { LineLocation } from '../line-location.js';
import type { DeadLines } from '../tables/table.js';
import type { Journal } from '../wal/journal.js';
import { formatLine } from '../wal/line.js';
import { forEachYielding } from '../yielding.js';

/** Gathers the lines of a journal that no longer count, until a round of the compactor erases them. */
export class GatheredLines implements DeadLines {
  readonly #journal: Journal;
  #toErase: LineLocation[] = [];
  /** Whole tables, which are looked at in the next round. */
  #tables: Iterable<{ line: LineLocation | undefined }>[] = [];

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get isEmpty(): boolean {
    return this.#toErase.length === 0;
  }

  scheduleErase(line: LineLocation): void {
    this.markDead(line);
    this.#toErase.push(line);
  }

  /** Goal I1: a tenant with 10,000 tokens is unreachable after 31 → 4 ms. */
  scheduleEraseAll(rows: Iterable<{ line: LineLocation | undefined }>): void {
    this.#tables.push(rows);
  }

  markDead({ segment: id, length }: LineLocation): void {
    const segment = this.#journal.segments.get(id);
    if (segment !== undefined) segment.dead += length + 1;
  }

  /** Returns the lines that are to be erased, once. */
  async take(): Promise<LineLocation[]> {
    for (const rows of this.#tables.splice(0)) {
      await forEachYielding(rows, ({ line }) => {
        if (line !== undefined) this.scheduleErase(line);
      });
    }
    return this.#toErase.splice(0);
  }

  /** Takes lines back that could not be erased. */
  putBack(lines: readonly LineLocation[]): void {
    for (const line of lines) this.#toErase.push(line);
  }

  /** Forgets the lines: their segments are discarded whole. */
  clear(): void {
    this.#toErase = [];
    this.#tables = [];
  }
}

/** Lines that are announced and erased at a time. */
const BATCH = 500;

/**
 * Overwrites lines in place. They are announced first, so that the next start expects one that was partly erased. The
 * announcements are dead themselves.
 */
export async function eraseLines(
  locations: readonly LineLocation[],
  journal: Journal,
  dead: DeadLines,
): Promise<void> {
  for (let at = 0; at < locations.length; at += BATCH) {
    const batch = locations.slice(at, at + BATCH).filter(({ segment }) => journal.segments.has(segment));
    if (batch.length === 0) continue;
    const scrub = batch.map(({ segment, offset, length }): [number, number, number] => [
      segment,
      offset,
      length,
    ]);
    for (const line of await journal.append([formatLine({ scrub })])) dead.markDead(line);
    await journal.erase(batch);
    await sleep(0);
  }
}
