import type { LineLocation } from '../line-location.js';
import type { ChangeLine } from '../wal/line.js';
import { activeSegment, type ScannedLine, type SegmentName, scan } from '../wal/segment.js';

/** A line that changes something. */
export interface JournalLine {
  line: ChangeLine;
  at: LineLocation;
}

/** A line that is not what was written. */
export interface DamagedLine extends LineLocation {
  path: string;
  /** From 1. */
  number: number;
}

/** What the segments of a journal hold. */
interface JournalContent {
  lines: JournalLine[];
  damaged: DamagedLine[];
  /** Damaged lines whose erasure was announced: it was interrupted. */
  partlyErased: LineLocation[];
  /** Bytes of each segment's lines that are not erased, by segment id. */
  bytes: Map<number, number>;
  /** Where the tail of the active segment begins that was never completely written. */
  tailAt: number | undefined;
}

/** Reads the segments of a journal; `read` returns the bytes of one, which are needed until the next is read. */
export async function readJournal<S extends SegmentName>(
  segments: readonly S[],
  read: (segment: S) => Buffer | Promise<Buffer>,
): Promise<JournalContent> {
  const content: JournalContent = {
    lines: [],
    damaged: [],
    partlyErased: [],
    bytes: new Map(),
    tailAt: undefined,
  };
  const announced = new Set<string>();
  const active = activeSegment(segments);
  for (const segment of segments) {
    let lines: Iterable<ScannedLine> = scan(await read(segment));
    if (segment === active) {
      const scanned = [...lines];
      const end = endOfWritten(scanned);
      content.tailAt = scanned[end]?.offset;
      lines = scanned.slice(0, end);
    }
    let bytes = 0;
    for (const { number, offset, length, line } of lines) {
      bytes += length + 1;
      const at = { segment: segment.id, offset, length };
      if (line === undefined) content.damaged.push({ path: segment.path, number, ...at });
      else if ('scrub' in line) for (const erased of line.scrub) announced.add(erased.join(':'));
      else content.lines.push({ line, at });
    }
    content.bytes.set(segment.id, bytes);
  }
  const isAnnounced = ({ segment, offset, length }: DamagedLine) =>
    announced.has([segment, offset, length].join(':'));
  content.partlyErased = content.damaged.filter(isAnnounced);
  content.damaged = content.damaged.filter((line) => !isAnnounced(line));
  return content;
}

/**
 * Returns how many lines of the active segment count. The rest is its unfinished tail, which was never acknowledged: bytes
 * without a line feed, whatever they are; a line of which some sectors never reached the disk, and everything behind it, which
 * was not synced either; and a commit without its last part.
 */
function endOfWritten(lines: readonly ScannedLine[]): number {
  const torn = lines.findIndex(({ isTorn }) => isTorn);
  const end = torn < 0 ? lines.length : torn;
  const last = lines[end - 1]?.line;
  const part = last !== undefined && 'part' in last ? last.part : undefined;
  return part !== undefined && part[0] < part[1] - 1 ? Math.max(0, end - 1 - part[0]) : end;
}
