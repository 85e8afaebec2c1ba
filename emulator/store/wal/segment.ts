import { join } from 'node:path';

/** Bytes after which a segment is closed and the next one begun: what is compacted or read at a time stays small. */
export const SEGMENT_BYTES = 4 * 1024 * 1024;

/** One file of the journal. `packed` ones were written by compaction, whole; the others by appending. */
export interface Segment {
  id: number;
  path: string;
  file: number;
  /** Bytes that are written and acknowledged. */
  size: number;
  /** Bytes of lines that no longer count, blanked or not. */
  dead: number;
  packed: boolean;
  /** The revision of the last removal in it: until what that removed is gone, the segment must stay. */
  lastRemoval: number;
  /** A line of it cannot be read any more: it is left as it is, for the next start to tell. */
  isDamaged?: true;
  /** No line of it counts, whatever it says: everything was cleared since, or what counts was packed elsewhere. */
  isVoid?: true;
}

export function markObsolete(segment: Segment): void {
  segment.dead = segment.size;
  segment.isVoid = true;
}

const NAME = /^(\d{8})(\.packed)?\.jsonl$/;

export function segmentPath(directory: string, id: number, packed: boolean): string {
  return join(directory, `${String(id).padStart(8, '0')}${packed ? '.packed' : ''}.jsonl`);
}

/** What the name of a segment says. */
export interface NamedSegment {
  id: number;
  packed: boolean;
  name: string;
}

/** The segments among the names of a directory, in the order of their ids. */
export function segmentsAmong(names: string[]): NamedSegment[] {
  return names
    .map((name) => ({ name, match: NAME.exec(name) }))
    .filter(({ match }) => match !== null)
    .map(({ name, match }) => ({ name, id: Number(match?.[1]), packed: match?.[2] !== undefined }))
    .sort((a, b) => a.id - b.id);
}

/** Segments of one id: an early version could leave such. A place names the id alone, so that it may mean either. */
export function duplicateSegments(segments: NamedSegment[]): { packed: string; appended: string }[] {
  const appended = new Map(segments.filter(({ packed }) => !packed).map(({ id, name }) => [id, name]));
  return segments
    .filter(({ packed }) => packed)
    .flatMap(({ id, name }) => {
      const other = appended.get(id);
      return other === undefined ? [] : [{ packed: name, appended: other }];
    });
}
