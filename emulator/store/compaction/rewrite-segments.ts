import { StorageError } from '../errors.js';
import type { FileSystem } from '../files/file-system.js';
import type { Journal } from '../journal/journal.js';
import { isWritten } from '../journal/line.js';
import type { Segment } from '../journal/segment.js';
import type { LineLocation } from '../line-location.js';
import type { LineLedger } from './line-ledger.js';

type RewriteOptions = { files: FileSystem; journal: Journal; ledger: LineLedger };

/** Replaces each group of segments by one that holds the lines that still count, or by none. */
export async function rewriteSegments(groups: Segment[][], options: RewriteOptions): Promise<void> {
  const { journal, ledger } = options;
  for (const group of groups) {
    const lines = group.flatMap(({ number }) => ledger.liveLines(number));
    const bytes: Buffer[] = [];
    for (const segment of group) await readLines(segment, bytes, options);
    const next = await journal.replace(group, bytes);
    if (next) {
      const total = lines.reduce((sum, { length }) => sum + length + 1, 0);
      ledger.noteMoved(lines, next.number, next.bytes - total);
    }
    for (const { number } of group) ledger.noteDiscarded(number);
  }
}

async function readLines(segment: Segment, read: Buffer[], { files, ledger }: RewriteOptions): Promise<void> {
  const lines: LineLocation[] = ledger.liveLines(segment.number);
  if (lines.length === 0) return;
  const bytes = await files.readFile(segment.path);
  for (const { offset, length } of lines) {
    const line = bytes.subarray(offset, offset + length + 1);
    if (!isWritten(line)) {
      segment.isDamaged = true;
      throw new StorageError(`the line at byte ${offset} of ${segment.path} can no longer be read`);
    }
    read.push(line);
  }
}

/** Share of a full segment below which rewriting what does not count is not worth it. */
const FEW = 1 / 64;
/** This many segments that fit into one are merged. */
const SMALL_SEGMENTS = 8;

/** Chooses consecutive segments that are worth rewriting into one: less than half of them counts, or they are small. */
export function chooseSegments({ closed, segmentBytes }: Journal, ledger: LineLedger): Segment[][] {
  const live = ({ number }: Segment) => ledger.liveBytes(number);
  const empty = closed.filter((segment) => live(segment) === 0);
  const others = closed.filter((segment) => live(segment) > 0);
  const isWorthIt = (group: Segment[]) => {
    const size = sum(group.map((segment) => segment.bytes));
    const dead = size - sum(group.map(live));
    return (dead > segmentBytes * FEW && dead > size / 2) || group.length >= SMALL_SEGMENTS;
  };
  const groups = groupsOf(others, live, segmentBytes).filter(isWorthIt);
  return empty.length > 0 ? [empty, ...groups] : groups;
}

function groupsOf(segments: readonly Segment[], live: (segment: Segment) => number, segmentBytes: number) {
  const groups: Segment[][] = [];
  let room = 0;
  for (const segment of segments) {
    const bytes = live(segment);
    if (bytes > room || segment.isDamaged) groups.push([]);
    room = bytes > room || segment.isDamaged ? segmentBytes - bytes : room - bytes;
    if (segment.isDamaged) room = 0;
    else groups.at(-1)?.push(segment);
  }
  return groups.filter((group) => group.length > 0);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
