import type { IndexKeys } from '../index/index-keys.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName } from '../records.js';

/**
 * The lines of the journal. Each is a JSON object that begins with a checksum of the rest. In a record's line, what comes
 * before `record` is enough to index it, so that a start parses no records.
 *
 *   {"sum":"…","rev":7,"put":"tokens","tenant":"…","id":"…","index":[created,[times],"hashes"],"record":{…}}
 *   {"sum":"…","rev":8,"remove":"tokens","tenant":"…","id":"…"}
 *   {"sum":"…","rev":9,"clear":"tenant","tenant":"…"}       {"sum":"…","rev":9,"clear":"everything"}
 *   {"sum":"…","scrub":[[segment,offset,length],…]}         these lines are about to be erased
 *
 * The lines of a commit of n operations have `"part":[i,n]`: without all of them the commit did not happen. Line feeds never
 * move: an erased line is spaces, and its neighbours stay where they are.
 */
export interface Numbered {
  rev: number;
  part?: [number, number] | undefined;
}

export type PutLine = Numbered & IndexKeys & { put: CollectionName; tenant: string; id: string };
export type RemoveLine = Numbered & { remove: CollectionName; tenant: string; id: string };
export type ClearLine = Numbered & { clear: 'tenant' | 'everything'; tenant?: string };
export type ChangeLine = PutLine | RemoveLine | ClearLine;
export interface EraseLine {
  scrub: [segment: number, offset: number, length: number][];
}
/** What a line says, without the record. */
export type LineHead = ChangeLine | EraseLine;
/** What a line says, and where it is. */
export type LocatedHead = LineHead & RecordLocation;
