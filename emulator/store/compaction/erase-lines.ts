import { setTimeout as sleep } from 'node:timers/promises';
import type { LineLocation } from '../line-location.js';
import type { DeadLines } from '../tables/table.js';
import type { Journal } from '../wal/journal.js';
import { formatLine } from '../wal/line.js';

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
