import { crc32 } from 'node:zlib';
import type { RecordLocation } from '../record-location.js';
import { checksumAt, HeadReader } from './head-reader.js';
import type { ClearLine, EraseLine, LocatedHead, PutLine, RemoveLine } from './line.js';

const NO_SUM = '00000000';
const SUM_START = '{"sum":"'.length;
const SUM_END = SUM_START + NO_SUM.length;
const REST_START = SUM_END + '",'.length;
const RECORD = ',"record":';
const SPACE = 0x20;

const fastReader = new HeadReader();

/** Formats a line that holds no record, with its line feed. */
export function formatLine(head: RemoveLine | ClearLine | EraseLine): Buffer {
  return withChecksum(Buffer.from(`${JSON.stringify({ sum: NO_SUM, ...head })}\n`));
}

/** Formats the line of a record in the same way. */
export function formatPut(line: PutLine, record: object): Buffer {
  const { rev, part, put, tenant, id, created, times, hashes } = line;
  const index = [created, times, hashes];
  const text = JSON.stringify({ sum: NO_SUM, rev, part, put, tenant, id, index, record });
  return withChecksum(Buffer.from(`${text}\n`));
}

/** Writes the checksum of a line, with its line feed, into it. */
export function withChecksum(line: Buffer): Buffer {
  const sum = crc32(line.subarray(REST_START, -1));
  line.write(sum.toString(16).padStart(NO_SUM.length, '0'), SUM_START, 'latin1');
  return line;
}

/**
 * Parses the line of a segment from byte `start` up to its line feed at `end`. Returns undefined if it is not what was
 * written.
 */
export function parseLine(
  bytes: Buffer,
  start: number,
  end: number,
  segment: number,
): LocatedHead | undefined {
  const restStart = start + REST_START;
  if (restStart >= end || checksumAt(bytes, start + SUM_START) !== crc32(bytes.subarray(restStart, end))) {
    return undefined;
  }
  const location = { segment, offset: start, length: end - start };
  return fastReader.read(bytes, restStart, location) ?? parseRest(bytes.subarray(restStart, end), location);
}

function parseRest(rest: Buffer, location: RecordLocation): LocatedHead | undefined {
  const record = rest.indexOf(RECORD);
  try {
    const head = JSON.parse(record < 0 ? `{${rest}` : `{${rest.toString('utf8', 0, record)}}`);
    if (!('put' in head)) return { ...head, ...location };
    const { index, ...put } = head;
    const [created, times, hashes] = index;
    return { ...put, created, times, hashes, ...location };
  } catch {
    // Whatever the checksum says, this is damage like any other.
    return undefined;
  }
}

/** Returns the record of a line as JSON. */
export function recordOf(line: Buffer): string {
  const text = line.toString('utf8');
  return text.slice(text.indexOf(RECORD) + RECORD.length, -1);
}

/** Whether the line from byte `start` up to its line feed at `end` was erased. */
export function isErased(bytes: Buffer, start: number, end: number): boolean {
  return bytes[start] === SPACE && bytes.toString('latin1', start, end).trim() === '';
}

/** What an erased line consists of. */
export function erasedLine(length: number): Buffer {
  return Buffer.alloc(length, SPACE);
}
