import { join } from 'node:path';
import { DamagedError } from '../errors.js';
import type { FileSystem } from '../files/file-system.js';
import { isErased, type Line, parseLine } from './line.js';

/** Bytes after which a segment is closed and the next one begun: what is rewritten or read at a time stays small. */
export const SEGMENT_BYTES = 4 * 1024 * 1024;

/** What the name of a segment's file says. */
export interface SegmentName {
  id: number;
  /** Written by compaction, whole; the others are appended to. */
  packed: boolean;
  path: string;
}

/** One file of the journal, open. */
export interface Segment extends SegmentName {
  file: number;
  /** Bytes that are written and acknowledged. */
  size: number;
  /** Bytes of lines that no longer count, erased or not. */
  dead: number;
  /** The revision of the last removal in it: the segment must stay until what that removed is gone. */
  lastRemoval: number;
  /** A line of it can no longer be read: it is left as it is, for the next start to report. */
  isDamaged?: true;
  /** No line of it counts, whatever it says: everything was cleared since, or what counts was moved elsewhere. */
  isObsolete?: true;
}

const NAME = /^(\d{8})(\.packed)?\.jsonl$/;

export function segmentPath(directory: string, id: number, packed: boolean): string {
  return join(directory, `${String(id).padStart(8, '0')}${packed ? '.packed' : ''}.jsonl`);
}

/** Lists the segments in a directory, in the order of their ids. */
export async function listSegments(files: FileSystem, directory: string): Promise<SegmentName[]> {
  const names = await files.list(directory);
  return names
    .flatMap((name) => {
      const match = NAME.exec(name);
      return match === null
        ? []
        : [{ path: join(directory, name), id: Number(match[1]), packed: match[2] !== undefined }];
    })
    .sort((a, b) => a.id - b.id);
}

/**
 * Opens the segments in a directory.
 *
 * @throws DamagedError two segments have the same id
 */
export async function openSegments(files: FileSystem, directory: string): Promise<Segment[]> {
  const found = await listSegments(files, directory);
  const [duplicate] = duplicateSegments(found);
  if (duplicate !== undefined) {
    const [packed, appended] = duplicate;
    throw new DamagedError(packed.path, 1, `${appended.path} has the same number`);
  }
  const segments: Segment[] = [];
  for (const name of found) {
    const file = await files.open(name.path, 'existing');
    segments.push({ ...name, file, size: await files.size(file), dead: 0, lastRemoval: 0 });
  }
  return segments;
}

/** The segment that was appended to last: it alone may end with a line that is not whole. */
export function activeSegment<S extends SegmentName>(segments: readonly S[]): S | undefined {
  return segments.filter(({ packed }) => !packed).at(-1);
}

/** Finds segments of the same id, which an early version could leave. A location means either of them. */
export function duplicateSegments(
  segments: readonly SegmentName[],
): [packed: SegmentName, appended: SegmentName][] {
  const appended = new Map(segments.filter(({ packed }) => !packed).map((segment) => [segment.id, segment]));
  return segments.flatMap((segment): [SegmentName, SegmentName][] => {
    const other = segment.packed ? appended.get(segment.id) : undefined;
    return other === undefined ? [] : [[segment, other]];
  });
}

/** A line of a segment that was not erased. */
export interface ScannedLine {
  /** From 1, erased lines included. */
  number: number;
  offset: number;
  length: number;
  /** Undefined when the line is damaged. */
  line: Line | undefined;
  /** Its line feed is missing, or some of its bytes never reached the disk and read as zeros. */
  isTorn: boolean;
}

export const LINE_FEED = 0x0a;

/** Reads a whole segment, into `buffer` if it is large enough. */
export function readSegment(files: FileSystem, { file, size }: Segment, buffer?: Buffer): Buffer {
  const bytes = (buffer ?? Buffer.allocUnsafe(size)).subarray(0, size);
  let done = 0;
  while (done < size) {
    const read = files.read(file, bytes.subarray(done), done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}

/** Yields the lines of a segment that are not erased. */
export function* scan(bytes: Buffer): Generator<ScannedLine> {
  let number = 0;
  for (let offset = 0; offset < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, offset);
    const end = feed < 0 ? bytes.length : feed;
    number += 1;
    if (feed < 0 || !isErased(bytes, offset, end)) {
      const line = feed < 0 ? undefined : parseLine(bytes, offset, end);
      const isTorn = line === undefined && (feed < 0 || bytes.subarray(offset, end).includes(0));
      yield { number, offset, length: end - offset, line, isTorn };
    }
    offset = end + 1;
  }
}
