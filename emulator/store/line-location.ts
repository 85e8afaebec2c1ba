/** Where a line of the journal is. Compaction changes it in place when it moves the line. */
export interface LineLocation {
  segment: number;
  /** Bytes from the start of the segment. */
  offset: number;
  /** Bytes, without the line feed. */
  length: number;
}

export type Lined = { readonly line: LineLocation | undefined };
