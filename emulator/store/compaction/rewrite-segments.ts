import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectionOf } from '../collections.js';
import { StorageError } from '../errors.js';
import type { FileSystem } from '../files/file-system.js';
import type { Journal } from '../journal/journal.js';
import { type ChangeLine, openPart } from '../journal/line.js';
import { SEGMENT_BYTES, type Segment, scan } from '../journal/segment.js';
import type { LineLocation } from '../line-location.js';
import type { Tables } from '../tables/tables.js';
import type { LineLedger } from './line-ledger.js';

/** Lines scanned between two turns of the event loop. */
const LINES_PER_TURN = 500;

interface RewriteOptions {
  files: FileSystem;
  journal: Journal;
  tables: Tables;
  ledger: LineLedger;
}

interface LiveLine {
  line: ChangeLine;
  bytes: Buffer;
}

/** Replaces each group of segments by one that holds the lines that still count, or by none. */
export async function rewriteSegments(groups: Segment[][], options: RewriteOptions): Promise<void> {
  const { journal, ledger } = options;
  for (const group of groups) {
    const lines: LiveLine[] = [];
    for (const segment of group) await collectLive(segment, lines, options);
    const revisions =
      lines.length === 0 ? undefined : ([revisionOf(lines, 0), revisionOf(lines, -1)] as const);
    const next = await journal.replace(
      group,
      lines.map(({ bytes }) => bytes),
      revisions,
    );
    if (next) relocate(lines, next, options);
    for (const { number } of group) ledger.noteDiscarded(number);
  }
}

async function collectLive(segment: Segment, lines: LiveLine[], options: RewriteOptions): Promise<void> {
  const { files, ledger } = options;
  const { number: id, path } = segment;
  if (ledger.liveBytes(id) === 0) return;
  const bytes = await files.readFile(path);
  let scanned = 0;
  for (const { line, number, offset, length } of scan(bytes)) {
    if (line === undefined) {
      segment.isDamaged = true;
      throw new StorageError(`line ${number} of ${path} can no longer be read`);
    }
    const at = 'rev' in line ? locationOf(line, options) : undefined;
    if (at?.segment === id && at.offset === offset)
      lines.push({ line: line as ChangeLine, bytes: bytes.subarray(offset, offset + length + 1) });
    scanned += 1;
    if (scanned % LINES_PER_TURN === 0) await nextTurn();
  }
}

/** Tells what is in memory where its lines are now. What stopped counting while it was being copied is erased. */
function relocate(lines: readonly LiveLine[], next: Segment, options: RewriteOptions): void {
  const { ledger } = options;
  let offset = next.size - lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
  for (const { line, bytes } of lines) {
    const moved: LineLocation = { segment: next.number, offset, length: bytes.length - 1 };
    offset += bytes.length;
    ledger.noteCopied(moved);
    const live = locationOf(line, options);
    if (live === undefined) ledger.scheduleErase(moved);
    else Object.assign(live, moved);
  }
}

/** Returns the location of the line that holds a change; undefined if it no longer counts. */
function locationOf(line: ChangeLine, { tables, ledger }: RewriteOptions): LineLocation | undefined {
  if (!('put' in line)) return ledger.removalAt(line.rev);
  const record = openPart(line);
  return tables.of(line.put, collectionOf(line.put).tenantOf(record))?.lineOf(record.id, line.rev);
}

const revisionOf = (lines: readonly LiveLine[], at: number): number => (lines.at(at) as LiveLine).line.rev;

/** Share of bytes that do not count above which a segment is rewritten. */
const DEAD_SHARE = { busy: 0.5, idle: 0.15 };
/** Such bytes below which it is not worth it. */
const FEW_BYTES = 64 * 1024;
/**
 * Such bytes that a busy store leaves in segments with live lines. Entries of the audit log stop counting in the order in which
 * they were written, so that a segment of many reads is soon without a live line, and costs nothing to remove.
 */
const DEAD_BYTES_WHEN_BUSY = 32 * 1024 * 1024;
/** This many segments that fit into one are merged. */
const SMALL_SEGMENTS = 8;

/** How much there is to do besides. A store that is being closed rewrites nothing that could stay. */
export type Activity = 'busy' | 'idle' | 'closing';

/** Chooses groups of consecutive segments that are worth rewriting. The live lines of each fit into one segment. */
export function chooseSegments({ closed }: Journal, ledger: LineLedger, activity: Activity): Segment[][] {
  const live = ({ number }: Segment) => ledger.liveBytes(number);
  const empty = closed.filter((segment) => live(segment) === 0);
  const others = closed.filter((segment) => live(segment) > 0);
  const dead = (segments: readonly Segment[]) => sum(segments.map((one) => one.size - live(one)));
  const share = DEAD_SHARE[activity === 'idle' ? 'idle' : 'busy'];
  const leavesDead = activity === 'closing' || (activity === 'busy' && dead(others) <= DEAD_BYTES_WHEN_BUSY);
  const isWorthIt = (group: Segment[]) => {
    const bytes = dead(group);
    const isMostlyDead = bytes > FEW_BYTES && bytes > share * sum(group.map(({ size }) => size));
    return (isMostlyDead && !leavesDead) || group.length >= SMALL_SEGMENTS;
  };
  const groups = groupsOf(others, live).filter(isWorthIt);
  return empty.length > 0 ? [empty, ...groups] : groups;
}

function groupsOf(segments: readonly Segment[], live: (segment: Segment) => number): Segment[][] {
  const groups: Segment[][] = [];
  let room = 0;
  for (const segment of segments) {
    const bytes = live(segment);
    if (bytes > room || segment.isDamaged) groups.push([]);
    room = bytes > room || segment.isDamaged ? SEGMENT_BYTES - bytes : room - bytes;
    if (segment.isDamaged) room = 0;
    else groups.at(-1)?.push(segment);
  }
  return groups.filter((group) => group.length > 0);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
