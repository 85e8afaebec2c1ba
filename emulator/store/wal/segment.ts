import { join } from 'node:path';
import { DamagedError } from '../errors.js';
import type { FileSystem } from '../files/file-system.js';

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
