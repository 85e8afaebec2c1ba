export interface TokenRecord {
  id?: unknown;
  type: string;
  data: unknown;
  [property: string]: unknown;
}

export interface SourceRow {
  number: number;
  /** Absent if the row could not be read; `problem` is the reason. */
  record?: Record<string, unknown>;
  problem?: string;
  /** The properties to write to the rejects file. */
  original: Record<string, unknown>;
}

export interface ImportRow {
  number: number;
  record: TokenRecord;
  original: Record<string, unknown>;
  /** The ID was derived by the importer, so that only this row can have taken it. */
  ownId: boolean;
}

export interface Reject {
  number: number;
  /** Contains property paths but no values. */
  reason: string;
  original: Record<string, unknown>;
}

/** Columns that the rejects file adds to a row; ignored when the corrected file is imported. */
export const REJECT_COLUMNS = { row: '_row', reason: '_reason' } as const;

/** Properties that the service sets itself; ignored, so that an export can be imported. */
export const READ_ONLY_PROPERTIES: readonly string[] = [
  ...['tenant_id', 'card', 'bank', 'fingerprint', 'enrichments'],
  ...['created_by', 'created_at', 'modified_by', 'modified_at'],
  ...Object.values(REJECT_COLUMNS),
];
