import { setImmediate as nextTurn } from 'node:timers/promises';
import { StorageError } from '../errors.js';
import { TEMP_SUFFIX } from '../files/atomic-file.js';
import { type FileSystem, writeFully } from '../files/file-system.js';
import type { LineLocation } from '../line-location.js';
import type { DeadLines } from '../tables/table.js';
import type { Journal } from '../wal/journal.js';
import type { ChangeLine } from '../wal/line.js';
import { readSegment, SEGMENT_BYTES, type Segment, scan } from '../wal/segment.js';
import type { LiveLines } from './live-lines.js';

/** Lines scanned between two turns of the event loop. */
const LINES_PER_TURN = 500;

interface RewriteOptions {
  files: FileSystem;
  journal: Journal;
  liveLines: LiveLines;
  /** Removals up to this revision have nothing left to remove. */
  erased: number;
  /** Gets the lines that stopped counting while they were being copied. */
  dead: DeadLines;
  /** Called with the new line of a removal. */
  noteRemoval(revision: number, line: LineLocation): void;
}

interface LiveLine {
  line: ChangeLine;
  bytes: Buffer;
}

/** Replaces segments by fewer ones that hold the lines that still count. */
export async function rewriteSegments(segments: Segment[], options: RewriteOptions): Promise<void> {
  for (const group of groupsOf(segments)) {
    const lines: LiveLine[] = [];
    for (const segment of group) await collectLive(segment, lines, options);
    if (lines.length > 0) await moveLines(lines, options);
    await options.journal.discard(group);
  }
}

/** Groups segments so that each group's live lines fit into one. */
function groupsOf(segments: Segment[]): Segment[][] {
  const groups: Segment[][] = [];
  let room = 0;
  for (const segment of segments) {
    const live = segment.size - segment.dead;
    if (groups.length === 0 || live > room) {
      groups.push([]);
      room = SEGMENT_BYTES;
    }
    groups.at(-1)?.push(segment);
    room -= live;
  }
  return groups;
}

async function collectLive(segment: Segment, lines: LiveLine[], options: RewriteOptions): Promise<void> {
  const { files, liveLines, erased } = options;
  if (segment.isObsolete || (segment.dead >= segment.size && segment.lastRemoval <= erased)) return;
  const bytes = readSegment(files, segment);
  let scanned = 0;
  for (const { line, number, offset, length } of scan(bytes)) {
    if (line === undefined) throw damageOf(segment, number);
    if (!('scrub' in line) && liveLines.isLive(line, { segment: segment.id, offset }, erased)) {
      lines.push({ line, bytes: bytes.subarray(offset, offset + length + 1) });
    }
    scanned += 1;
    if (scanned % LINES_PER_TURN === 0) await nextTurn();
  }
}

function damageOf(segment: Segment, line: number): Error {
  segment.isDamaged = true;
  return new StorageError(`line ${line} of ${segment.path} can no longer be read`);
}

async function moveLines(lines: LiveLine[], options: RewriteOptions): Promise<void> {
  const { journal, liveLines } = options;
  const segment = await writeSegment(Buffer.concat(lines.map(({ bytes }) => bytes)), options);
  journal.adopt(segment);
  let offset = 0;
  for (const { line, bytes } of lines) {
    const moved: LineLocation = { segment: segment.id, offset, length: bytes.length - 1 };
    offset += bytes.length;
    if ('remove' in line) options.noteRemoval(line.rev, moved);
    if (!('put' in line)) continue;
    const live = liveLines.locationOf(line);
    if (live === undefined) options.dead.scheduleErase(moved);
    else Object.assign(live, moved);
  }
}

async function writeSegment(bytes: Buffer, { files, journal }: RewriteOptions): Promise<Segment> {
  const name = journal.reserve(true);
  const temporary = name.path + TEMP_SUFFIX;
  const file = await files.open(temporary, 'replace');
  try {
    await writeFully(files, file, bytes, 0);
    await files.sync(file);
    await files.rename(temporary, name.path);
    return { ...name, file, size: bytes.length, dead: 0, lastRemoval: 0 };
  } catch (error) {
    await files.close(file);
    await files.remove(temporary).catch(() => {});
    throw error;
  }
}

/** Share of dead bytes above which a segment is rewritten. */
const DEAD_SHARE = { busy: 0.5, idle: 0.15 };
/**
 * Dead bytes that a busy store leaves in segments with live lines. Entries of the audit log stop counting in the order in which
 * they were written, so that a segment of many reads is soon without a live line, and costs nothing to remove.
 */
const DEAD_BYTES_WHEN_BUSY = 32 * 1024 * 1024;
/** This many small segments are merged. */
const SMALL_SEGMENTS = 8;
const SMALL_BYTES = 512 * 1024;

/** How much there is to do besides. A store that is being closed rewrites nothing that could stay. */
export type Activity = 'busy' | 'idle' | 'closing';

/** Chooses the segments that are worth rewriting. */
export function segmentsToRewrite({ segments, activeId }: Journal, activity: Activity): Segment[] {
  const closed = [...segments.values()].filter(({ id, isDamaged }) => id !== activeId && !isDamaged);
  const deadShare = DEAD_SHARE[activity === 'idle' ? 'idle' : 'busy'];
  const dead = closed.reduce((sum, segment) => sum + segment.dead, 0);
  const leavesDead = activity === 'busy' && dead <= DEAD_BYTES_WHEN_BUSY;
  const small = closed.filter(({ size }) => size < SMALL_BYTES);
  return closed.filter(
    (segment) =>
      segment.dead >= segment.size ||
      (segment.dead > segment.size * deadShare && !leavesDead) ||
      (small.length >= SMALL_SEGMENTS && small.includes(segment)),
  );
}
