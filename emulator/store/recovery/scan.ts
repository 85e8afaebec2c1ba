import type { FileSystem } from '../files/file-system.js';
import type { RecordLocation } from '../record-location.js';
import { HeadReader } from '../wal/head-reader.js';
import { type Head, isBlank } from '../wal/line-codec.js';
import type { Segment } from '../wal/segment.js';

/** A line of a segment: what it says, or undefined when it is damaged. */
export interface ScannedLine extends RecordLocation {
  /** From 1. */
  number: number;
  head: Head | undefined;
  /** Lacks its line feed, or some of its bytes never reached the disk and read as zeros. */
  torn: boolean;
}

const LINE_FEED = 0x0a;

/** All bytes of a segment's file, in `room` if they fit there. */
export function readSegment(files: FileSystem, { file }: Segment, size: number, room?: Buffer): Buffer {
  const bytes = room !== undefined && room.length >= size ? room.subarray(0, size) : Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const read = files.read(file, bytes.subarray(done), done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}

/** The lines that are not blank. */
export function* scan(segment: number, bytes: Buffer): Generator<ScannedLine> {
  const heads = new HeadReader(bytes);
  let number = 0;
  for (let offset = 0; offset < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, offset);
    const end = feed < 0 ? bytes.length : feed;
    number += 1;
    if (feed < 0 || !isBlank(bytes, offset, end)) {
      const head = feed < 0 ? undefined : heads.read(offset, end);
      const torn = head === undefined && (feed < 0 || bytes.subarray(offset, end).includes(0));
      yield { segment, offset, length: end - offset, number, head, torn };
    }
    offset = end + 1;
  }
}

/**
 * How many lines of the active segment count. A torn line was never synced, or its bytes would be there; so neither was
 * anything behind it, even where the disk happened to write that first.
 */
export function endOfWritten(lines: readonly ScannedLine[]): number {
  const torn = lines.findIndex((line) => line.torn);
  return torn < 0 ? lines.length : torn;
}
