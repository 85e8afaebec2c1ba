import { join } from 'node:path';
import type { FileSystem } from '../files/file-system.js';
import type { ListedSegment } from '../store-header.js';
import { isErased, LINE_FEED, type Line, parseLine } from './line.js';

/** Bytes after which a segment is closed and the next one begun: what is rewritten or read at a time stays small. */
export const SEGMENT_BYTES = 4 * 1024 * 1024;

/** One file of the journal, open. */
export interface Segment extends ListedSegment {
  path: string;
  readonly file: number;
  /** A line of it can no longer be read: it is left as it is, for the next start to report. */
  isDamaged?: true;
}

const NAME = /^(\d{8})\.jsonl$/;

export function segmentPath(directory: string, number: number): string {
  return join(directory, `${String(number).padStart(8, '0')}.jsonl`);
}

export async function segmentNumbers(files: FileSystem, directory: string): Promise<number[]> {
  const names = await files.list(directory);
  return names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number);
}

export interface ScannedLine {
  /** From 1; what was erased at once counts as one line. */
  number: number;
  offset: number;
  length: number;
  line: Line | undefined;
  /** Its line feed is missing, or some of its bytes never reached the disk and read as zeros. */
  isTorn: boolean;
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
