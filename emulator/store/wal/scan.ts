import type { FileSystem } from '../files/file-system.js';
import { isErased, type Line, parseLine } from './line.js';
import type { Segment } from './segment.js';

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
