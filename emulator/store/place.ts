/** Where a line stands on disk. */
export interface Place {
  segment: number;
  offset: number;
  /** Bytes, without the line feed. */
  length: number;
}
