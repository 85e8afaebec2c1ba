import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal } from '../journal/journal.js';
import { formatLine } from '../journal/line.js';
import type { LineLocation } from '../line-location.js';

/** Ranges that are announced and erased at a time. */
const BATCH = 500;
/** Bytes that are overwritten at a time. */
const MAX_RANGE = 1024 * 1024;

/**
 * Overwrites lines in place. They are announced first, so that the next start expects one that was partly erased.
 */
export async function eraseLines(lines: readonly LineLocation[], journal: Journal): Promise<void> {
  const ranges = rangesOf(lines.filter(({ segment }) => journal.segments.has(segment)));
  for (let at = 0; at < ranges.length; at += BATCH) {
    const batch = ranges.slice(at, at + BATCH);
    const erase = batch.map(({ segment, offset, length }): [number, number, number] => [
      segment,
      offset,
      length,
    ]);
    await journal.append({ lines: [formatLine({ erase })] });
    await journal.erase(batch);
    await sleep(0);
  }
}

/** Joins lines that follow each other. What is erased keeps the line feed at its end only. */
function rangesOf(lines: readonly LineLocation[]): LineLocation[] {
  const ranges: LineLocation[] = [];
  const ordered = lines.toSorted((a, b) => a.segment - b.segment || a.offset - b.offset);
  for (const { segment, offset, length } of ordered) {
    const last = ranges.at(-1);
    const isNext = last?.segment === segment && last.offset + last.length + 1 === offset;
    if (last && isNext && last.length < MAX_RANGE) last.length += 1 + length;
    else ranges.push({ segment, offset, length });
  }
  return ranges;
}
