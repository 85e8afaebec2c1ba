import { isObject } from '../../../src/contract/json.js';
import { CHECKSUM_LENGTH, checksum } from '../files/checksum.js';
import type { CollectionName } from '../records.js';
import type { StoreIdentity } from '../store-header.js';

/**
 * The lines of the journal. Each is a JSON object that begins with a checksum of the rest:
 *
 *   {"sum":"…","store":{…}}                                 the first line of a segment: the store that it belongs to
 *   {"sum":"…","group":230}                                 the next 230 bytes were written together
 *   {"sum":"…","rev":7,"put":"tokens","record":{…}}
 *   {"sum":"…","rev":8,"remove":"tokens","tenant":"…","id":"…"}
 *   {"sum":"…","rev":9,"clear":"tenant","tenant":"…"}       {"sum":"…","rev":9,"clear":"everything"}
 *   {"sum":"…","erase":[[segment,offset,length],…]}         these bytes are about to be overwritten with spaces
 *
 * A group is stored completely or not at all. A line that no longer counts is overwritten with spaces up to its line feed, so
 * that the others stay where they are.
 */
type Numbered = { rev: number };

/** `record` is what the cipher made of it. */
export type PutLine = Numbered & { put: CollectionName; record: object };
type RemoveLine = Numbered & { remove: CollectionName; tenant: string; id: string };
type ClearLine = Numbered & { clear: 'tenant' | 'everything'; tenant?: string };
export type ChangeLine = PutLine | RemoveLine | ClearLine;
export type Line =
  | ChangeLine
  | { store: StoreIdentity }
  | { group: number }
  | { erase: (readonly [segment: number, offset: number, length: number])[] };

const NO_SUM = '0'.repeat(CHECKSUM_LENGTH);
const SUM_START = '{"sum":"'.length;
const REST_START = SUM_START + CHECKSUM_LENGTH + '",'.length;
const SPACE = 0x20;
export const LINE_FEED = 0x0a;

export function formatLine(line: Line): Buffer {
  const bytes = Buffer.from(`${JSON.stringify({ sum: NO_SUM, ...line })}\n`);
  bytes.write(checksum(bytes.subarray(REST_START, -1)), SUM_START, 'latin1');
  return bytes;
}

/** Whether a line, with its line feed, is what was written. */
export function isWritten(line: Buffer): boolean {
  const rest = line.subarray(REST_START, -1);
  return line.at(-1) === LINE_FEED && line.toString('latin1', SUM_START, REST_START - 2) === checksum(rest);
}

/** Parses the line from byte `start` up to its line feed at `end`. Returns undefined if it is not what was written. */
export function parseLine(bytes: Buffer, start: number, end: number): Line | undefined {
  try {
    const line: unknown = JSON.parse(bytes.toString('utf8', start, end));
    if (!isObject(line) || line.sum !== checksum(bytes.subarray(start + REST_START, end))) return undefined;
    return line as unknown as Line;
  } catch {
    // Whatever the checksum says, this is damage like any other.
    return undefined;
  }
}

/** Whether the line from byte `start` up to its line feed at `end` was erased. */
export function isErased(bytes: Buffer, start: number, end: number): boolean {
  return bytes[start] === SPACE && bytes.toString('latin1', start, end).trim() === '';
}

export const erasedBytes = (length: number): Buffer => Buffer.alloc(length, SPACE);
