import { crc32 } from 'node:zlib';
import type { IndexKeys } from '../index/index-keys.js';
import type { CollectionName } from '../records.js';

/**
 * The lines of the journal. Each is one JSON object that begins with a checksum of the rest; of a record's line the part
 * before `record` is enough to index it, so that a start need not parse records.
 *
 *   {"sum":"…","rev":7,"put":"tokens","tenant":"…","id":"…","index":[created,[times],[hashes]],"record":{…}}
 *   {"sum":"…","rev":8,"remove":"tokens","tenant":"…","id":"…"}
 *   {"sum":"…","rev":9,"clear":"tenant","tenant":"…"}       {"sum":"…","rev":9,"clear":"everything"}
 *   {"sum":"…","scrub":[[segment,offset,length],…]}         these lines are about to be blanked
 *
 * A commit of several operations has `"part":[i,n]` in each: without all n of them it did not happen. Line feeds never
 * move, so a blanked line (spaces alone) leaves its neighbours where they are.
 */
export interface Numbered {
  rev: number;
  part?: [number, number] | undefined;
}

export type PutHead = Numbered & {
  put: CollectionName;
  tenant: string;
  id: string;
  index: [number, number[], number[]];
};
export type RemoveLine = Numbered & { remove: CollectionName; tenant: string; id: string };
export type ClearLine = Numbered & { clear: 'tenant' | 'everything'; tenant?: string };
export interface EraseLine {
  scrub: [number, number, number][];
}
export type Head = PutHead | RemoveLine | ClearLine | EraseLine;

/** The text of a line with its line feed, in pieces: put together first, each record would be copied once more. */
export type Line = readonly string[];

const HEX = '0123456789abcdef';
const SUM_START = '{"sum":"'.length;
const UNSEALED = '{"sum":"00000000",';
export const SUM_LENGTH = UNSEALED.length;
const END = '}\n';
export const RECORD = ',"record":';

/** A line without a record, with its line feed; to be sealed. */
export function formatLine(head: RemoveLine | ClearLine | EraseLine): Line {
  return [UNSEALED, JSON.stringify(head).slice(1), '\n'];
}

/**
 * The same of a record, given as JSON. Every read of a token writes one for the audit log, so it is put together by hand.
 */
export function formatPut(
  { rev, part, put, tenant, id }: Omit<PutHead, 'index'>,
  { created, times, hashes }: IndexKeys,
  record: string,
): Line {
  const parts = part === undefined ? '' : `,"part":[${part[0]},${part[1]}]`;
  const names = `"put":"${put}","tenant":${quoted(tenant)},"id":${quoted(id)}`;
  const index = `[${created},[${times.join()}],[${hashes.join()}]]`;
  return [`${UNSEALED}"rev":${rev}${parts},${names},"index":${index}${RECORD}`, record, END];
}

/** JSON of a text; nearly every one is a UUID, in which nothing needs escaping. */
function quoted(text: string): string {
  return /^[\w-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Puts the checksum of a line, without its line feed, into the place that is left for it: it is one of bytes, not of text. */
export function writeChecksum(bytes: Buffer, start: number, end: number): void {
  let sum = crc32(bytes.subarray(start + SUM_LENGTH, end));
  for (let at = start + SUM_START + 7; at >= start + SUM_START; at -= 1) {
    bytes[at] = HEX.charCodeAt(sum & 15);
    sum >>>= 4;
  }
}

export function keysOf({ index: [created, times, hashes] }: PutHead): IndexKeys {
  return { created, times, hashes };
}

/** The record of a line, as it was given to `formatPut`. */
export function recordOf(line: Buffer): string {
  const text = line.toString('utf8');
  return text.slice(text.indexOf(RECORD) + RECORD.length, -1);
}

export function isBlank(bytes: Buffer, start: number, end: number): boolean {
  return bytes[start] === 0x20 && bytes.toString('latin1', start, end).trim() === '';
}
