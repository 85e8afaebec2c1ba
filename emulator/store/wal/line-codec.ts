import { crc32 } from 'node:zlib';
import type { RecordLocation } from '../record-location.js';
import { checksumAt, HeadReader } from './head-reader.js';
import type { ClearLine, EraseLine, LocatedHead, PutLine, RemoveLine } from './line.js';
import { formatPutHead } from './put-head.js';

const SUM_START = '{"sum":"'.length;
const SUM_END = SUM_START + 8;
const REST_START = SUM_END + '",'.length;
const RECORD = ',"record":';
const SPACE = 0x20;

const fastReader = new HeadReader();

/** Formats a line that holds no record, with its line feed. */
export function formatLine(head: RemoveLine | ClearLine | EraseLine): string {
  return withChecksum(JSON.stringify(head).slice(1));
}

/** Formats the line of a record, given as JSON, with its line feed. */
export function formatPut(head: PutLine, record: string): string {
  return withChecksum(`${formatPutHead(head)}${RECORD}${record}}`);
}

function withChecksum(rest: string): string {
  return `{"sum":"${crc32(rest).toString(16).padStart(8, '0')}",${rest}\n`;
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

/** Returns the record of a line as JSON, as it was given to `formatPut`. */
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
