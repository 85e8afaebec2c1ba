import { crc32 } from 'node:zlib';
import { isObject } from '../../../src/contract/json.js';
import type { CollectionName, Records } from '../records.js';

/**
 * The lines of the journal. Each is a JSON object that begins with a checksum of the rest:
 *
 *   {"sum":"…","rev":7,"put":"tokens","record":{…}}
 *   {"sum":"…","rev":8,"remove":"tokens","tenant":"…","id":"…"}
 *   {"sum":"…","rev":9,"clear":"tenant","tenant":"…"}       {"sum":"…","rev":9,"clear":"everything"}
 *   {"sum":"…","scrub":[[segment,offset,length],…]}         these lines are about to be erased
 *
 * The lines of a commit of n changes have `"part":[i,n]`: without all of them the commit did not happen. Line feeds never
 * move: an erased line is spaces, and its neighbours stay where they are.
 */
interface Numbered {
  rev: number;
  part?: [number, number] | undefined;
}

/** `record` is what the cipher made of it. */
export type PutLine = Numbered & { put: CollectionName; record: object };
type RemoveLine = Numbered & { remove: CollectionName; tenant: string; id: string };
type ClearLine = Numbered & { clear: 'tenant' | 'everything'; tenant?: string };
export type ChangeLine = PutLine | RemoveLine | ClearLine;
interface EraseLine {
  scrub: [segment: number, offset: number, length: number][];
}
export type Line = ChangeLine | EraseLine;

const NO_SUM = '00000000';
const SUM_START = '{"sum":"'.length;
const SUM_END = SUM_START + NO_SUM.length;
const REST_START = SUM_END + '",'.length;
const SPACE = 0x20;

/** Formats a line, with its line feed. */
export function formatLine(line: Line): Buffer {
  return withChecksum(Buffer.from(`${JSON.stringify({ sum: NO_SUM, ...line })}\n`));
}

/** Writes the checksum of a line, with its line feed, into it. */
export function withChecksum(line: Buffer): Buffer {
  line.write(checksum(line.subarray(REST_START, -1)), SUM_START, 'latin1');
  return line;
}

function checksum(rest: Buffer): string {
  return crc32(rest).toString(16).padStart(NO_SUM.length, '0');
}

/** Parses the line from byte `start` up to its line feed at `end`. Returns undefined if it is not what was written. */
export function parseLine(bytes: Buffer, start: number, end: number): Line | undefined {
  const rest = bytes.subarray(start + REST_START, end);
  if (bytes.toString('latin1', start + SUM_START, start + SUM_END) !== checksum(rest)) return undefined;
  try {
    const line = JSON.parse(bytes.toString('utf8', start, end));
    return isObject(line) ? (line as unknown as Line) : undefined;
  } catch {
    // Whatever the checksum says, this is damage like any other.
    return undefined;
  }
}

/** Whether the line from byte `start` up to its line feed at `end` was erased. */
export function isErased(bytes: Buffer, start: number, end: number): boolean {
  return bytes[start] === SPACE && bytes.toString('latin1', start, end).trim() === '';
}

/** What an erased line consists of. */
export function erasedLine(length: number): Buffer {
  return Buffer.alloc(length, SPACE);
}

/** What can be read of a record without its key: which one it is. */
export function openPart({ record }: PutLine): Records[CollectionName] {
  return record as Records[CollectionName];
}
