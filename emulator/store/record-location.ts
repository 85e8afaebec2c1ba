import type { IndexKeys } from './index/index-keys.js';

/** Where a line stands on disk. */
export interface RecordLocation {
  segment: number;
  offset: number;
  /** Bytes, without the line feed. */
  length: number;
}

/** Where a record's line stands, and the keys it carries: they need not be made again. */
export interface IndexedLocation extends RecordLocation {
  keys?: IndexKeys | undefined;
}
